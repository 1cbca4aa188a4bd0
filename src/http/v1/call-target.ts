import { z } from 'zod';
import type { CallTarget } from '../../calls/call-target.ts';
import { namedEnum, Uuid } from '../../contracts/fields.ts';
import { JobType } from '../../contracts/jobs.ts';
import { jobEnds } from '../../domain/job-end.ts';
import { deriveTaskId } from '../../domain/task-id.ts';
import { invalid, refuse } from '../../errors.ts';
import { requireTeamCaller } from '../../services/caller.ts';
import { newJob } from '../../services/jobs/new-job.ts';
import type { RequestContext } from '../route.ts';
import type { NamesInMetadata } from './call-metadata.ts';

/** Which job a call belongs to, and how it ends. `spec 17.2` and `spec 17.6` */
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
  'x-job-end': namedEnum('JobEnd', jobEnds)
    .optional()
    .describe('`call`: the job is completed when this call succeeds; `answer`: only if its answer has no tool calls'),
});
export type JobHeaders = z.output<typeof JobHeaders>;

/** What the body of a call under `/v1` has of a job, in whatever form. */
export interface JobOfBody {
  /** The names of the body that name a job, as `job_key_from` reads them. */
  body: Readonly<Record<string, unknown>>;
  /** The user of the job that is made for the call. */
  userId: string | null;
  metadata: NamesInMetadata | null;
  /** The type of a job that is made for the call, where the request names none. */
  defaultJobType: string;
}

type Context = Pick<
  RequestContext<undefined, undefined, unknown, JobHeaders>,
  'caller' | 'newId' | 'headers' | 'sentHeaders'
>;

/**
 * The job of a call. The first that is given decides: a job, a task, what the team's `job_key_from` names, nothing. Of a job and of a
 * task the header goes before the metadata. Throws for a call without a job whose team requires one. `spec 17.2`, `spec 18.2` and
 * `spec 18.4`
 */
export function toCallTarget(context: Context, ofBody: JobOfBody): CallTarget {
  const { caller, headers } = context;
  const { metadata, userId, defaultJobType } = ofBody;
  const jobEnd = headers['x-job-end'] && { jobEnd: headers['x-job-end'] };
  const jobId = headers['x-job-id'] ?? metadata?.job_id?.toLowerCase();
  if (jobId) return { kind: 'open_job', jobId, ...jobEnd };
  const taskId = headers['x-external-task-id'] ?? metadata?.external_task_id ?? findTeamTask(context, ofBody);
  const fields = {
    job_type: headers['x-job-type'] ?? metadata?.job_type ?? defaultJobType,
    user_id: userId,
    metadata,
  };
  if (taskId) return { kind: 'task', newJob: newJob(context, { ...fields, external_task_id: taskId }), ...jobEnd };
  if (requireTeamCaller(caller).settings.jobless_calls === 'refuse') throw refuse('job_required');
  return { kind: 'single_call', newJob: newJob(context, fields) };
}

/** `header:x-session-id` and `body:metadata.chat` as paths in a request. A key of metadata may contain dots. */
function parsePath(source: string): string[] {
  const [part, name] = [source.slice(0, source.indexOf(':')), source.slice(source.indexOf(':') + 1)];
  const metadata = 'metadata.';
  return part === 'body' && name.startsWith(metadata) ? [part, 'metadata', name.slice(metadata.length)] : [part, name];
}

/** The task that a request names where the team's `job_key_from` looks for it. Throws for a value that is no task id. `spec 18.3` */
function findTeamTask({ caller, sentHeaders }: Context, { body }: JobOfBody): string | undefined {
  const derived = deriveTaskId(requireTeamCaller(caller).settings.job_key_from, { headers: sentHeaders, body });
  if (!derived) return undefined;
  if ('taskId' in derived) return derived.taskId;
  throw invalid(parsePath(derived.invalid), 'String should have 1 to 255 visible ASCII characters', 'value_error');
}
