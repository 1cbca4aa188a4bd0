/** What ends the open job of a call: its success, or a success whose answer has no tool calls. `spec 18.5` */
export const jobEnds = ['call', 'answer'] as const;
export type JobEnd = (typeof jobEnds)[number];

/** How a call may end its job. */
export interface EndByCall {
  /** The call of a single-call job: the job ends as the call does. */
  isSingleCall: boolean;
  jobEnd: JobEnd | null | undefined;
}

/** Whether a call that has ended so ends its job. */
export const endsJob = (
  { isSingleCall, jobEnd }: EndByCall,
  { succeeded, hasToolCalls }: { succeeded: boolean; hasToolCalls: boolean },
): boolean => isSingleCall || (succeeded && (jobEnd === 'call' || (jobEnd === 'answer' && !hasToolCalls)));

/** Whether a call that has not ended yet may end its job. */
export const mayEndJob = ({ isSingleCall, jobEnd }: EndByCall): boolean => isSingleCall || Boolean(jobEnd);
