/** When a call ends its open job: with its success, or with a success whose answer has no tool calls. `spec 18.5` */
export const jobEndConditions = ['call', 'answer'] as const;
export type JobEndCondition = (typeof jobEndConditions)[number];

/** Whether a call that has ended so ends its job. */
export const endsJob = (
  endCondition: JobEndCondition | null | undefined,
  { succeeded, hasToolCalls }: { succeeded: boolean; hasToolCalls: boolean },
): boolean => succeeded && (endCondition === 'call' || (endCondition === 'answer' && !hasToolCalls));
