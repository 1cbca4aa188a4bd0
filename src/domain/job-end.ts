/** What ends the open job of a call at once: its success, or a success whose answer has no tool calls. `spec 18.5` */
export const jobEnds = ['call', 'answer'] as const;
export type JobEnd = (typeof jobEnds)[number];

/** How the calls of a team's tasks may end their jobs. `turn`: no call follows for some seconds. `spec 27.4` and `spec 27.5` */
export const teamJobEnds = [...jobEnds, 'turn'] as const;

/** A turn ends when no call has followed its last one for at most so many seconds. */
export const maxTurnSeconds = 3_600;

/** `call`, `answer`, `turn`, or `turn=` with 1 to 3,600 seconds. */
export const jobEndPattern = /^(?:call|answer|turn(?:=(?:[1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|3600))?)$/;

/** How a call ends its open job. Without a field, nothing ends the job with it. */
export interface RequestedEnd {
  jobEnd?: JobEnd;
  turnSeconds?: number;
}

/** The end that a text of `jobEndPattern` requests. `settleSeconds`: of a `turn` without a number. */
export function requestedEnd(text: string, settleSeconds: number): RequestedEnd {
  if (text === 'call' || text === 'answer') return { jobEnd: text };
  return { turnSeconds: text === 'turn' ? settleSeconds : Number(text.slice('turn='.length)) };
}

export const isTurnSeconds = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxTurnSeconds;

/** How a call may end its job at once. */
export interface EndByCall {
  /** The call of a single-call job: the job ends as the call does. */
  isSingleCall: boolean;
  jobEnd: JobEnd | null | undefined;
}

/** Whether a call that has ended so ends its job at once. */
export const endsJob = (
  { isSingleCall, jobEnd }: EndByCall,
  { succeeded, hasToolCalls }: { succeeded: boolean; hasToolCalls: boolean },
): boolean => isSingleCall || (succeeded && (jobEnd === 'call' || (jobEnd === 'answer' && !hasToolCalls)));

/** Whether a call that has not ended yet may end its job at once. That of a turn does not: the turn ends after it. */
export const mayEndJob = ({ isSingleCall, jobEnd }: EndByCall): boolean => isSingleCall || Boolean(jobEnd);
