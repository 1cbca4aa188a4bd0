/** When a call ends its open job: with its success, or with a success whose answer has no tool calls. `spec 18.5` */
export const endJobConditions = ['call', 'answer'] as const;
export type EndJob = (typeof endJobConditions)[number];

/** Whether a call that has ended so ends its job. */
export const endsJob = (
  endJob: EndJob | null | undefined,
  { succeeded, hasToolCalls }: { succeeded: boolean; hasToolCalls: boolean },
): boolean => succeeded && (endJob === 'call' || (endJob === 'answer' && !hasToolCalls));
