import { z } from 'zod';
import { Uuid } from '../fields.ts';
import { JobType } from '../jobs.ts';

/** Which job a chat completion belongs to, and how it ends. `spec 17.2` and `spec 17.6` */
export const JobHeaders = z.object({
  'x-job-id': Uuid.optional().describe(
    'An open job, which the call belongs to. Without any of these, the call has a job of its own',
  ),
  'x-external-task-id': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]*$/)
    .optional()
    .describe('A task of the client: its open job, or else a new one'),
  'x-job-type': JobType.optional().describe('The type of a job that is made for the call. Default: `chat.completions`'),
  'x-call-purpose': z.string().max(200).optional().describe('Label of the call in lists of costs'),
  'x-job-end': z
    .enum(['call', 'answer'])
    .optional()
    .describe('`call`: the job is completed when this call succeeds; `answer`: only if its answer has no tool calls'),
});
export type JobHeaders = z.output<typeof JobHeaders>;
