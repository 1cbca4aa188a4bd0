import { z } from 'zod';
import type { CallTarget } from '../../calls/call-target.ts';
import type { Config } from '../../config.ts';
import { Uuid } from '../../contracts/fields.ts';
import { JobType } from '../../contracts/jobs.ts';
import type { NewJob } from '../../db/jobs/insert-job.ts';
import { type CallAgent, findAgent } from '../../domain/agent.ts';
import { jobEndPattern, type RequestedEnd, requestedEnd } from '../../domain/job-end.ts';
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
  'x-job-type': JobType.optional().describe(
    'The type of a job that is made for the call. Default: that of the endpoint, such as `chat.completions`, or of the agent',
  ),
  'x-call-purpose': z.string().max(200).optional().describe('Label of the call in lists of costs'),
  'x-job-end': z
    .string()
    .regex(jobEndPattern, 'Input should be call, answer, turn, or turn= with 1 to 3600 seconds')
    .optional()
    .describe(
      '`call`: the job is completed when this call succeeds; `answer`: only if its answer has no tool calls; `turn` or `turn=<1 to ' +
        '3600>`: when no call has followed the last answer without tool calls for so many seconds',
    ),
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
  /** An earlier call of the team: its open job, before a job of the call's own. `spec 27.6` */
  previousCallId?: string | undefined;
  /** The task of a call that names none, instead of a job of its own. `spec 27.8` */
  taskWithoutJob?: string | undefined;
}

type Context = Pick<
  RequestContext<undefined, undefined, unknown, JobHeaders>,
  'caller' | 'newId' | 'headers' | 'sentHeaders'
> & { deps: { config: Pick<Config, 'TURN_SETTLE_SECONDS'> } };

/**
 * The job of a call. The first that is given decides: a job, a task, what the team's `job_key_from` names, the turn of a known agent, the
 * job of an earlier call, nothing. Of a job and of a task the header goes before the metadata. Throws for a call without a job whose team
 * requires one. `spec 17.2`, `spec 18.2`, `spec 18.4` and `spec 27.1`
 */
export function toCallTarget(context: Context, ofBody: JobOfBody): CallTarget {
  const { headers } = context;
  const { metadata, previousCallId, taskWithoutJob } = ofBody;
  const { settings } = requireTeamCaller(context.caller);
  const found = findAgent({ headers: context.sentHeaders, body: ofBody.body });
  const agent = found && { agent: found.agent };
  const end = endOf(context, headers['x-job-end']);
  const jobId = headers['x-job-id'] ?? metadata?.job_id?.toLowerCase();
  if (jobId) return { kind: 'open_job', jobId, ...end, ...agent };
  const toJob = (fields: { taskId?: string; agent?: CallAgent } = {}) => newJobOf(context, ofBody, fields);
  const taskId = headers['x-external-task-id'] ?? metadata?.external_task_id ?? findTeamTask(context, ofBody);
  if (taskId)
    return { kind: 'task', newJob: toJob({ taskId }), ...(end ?? endOf(context, settings.job_end)), ...agent };
  if (found && settings.agent_turns === 'on')
    return { kind: 'task', newJob: toJob(found), ...(end ?? endOf(context, 'turn')), ...agent };
  const isRefused = settings.jobless_calls === 'refuse';
  if (previousCallId) return { kind: 'previous', previousCallId, newJob: isRefused ? null : toJob(), ...end, ...agent };
  if (isRefused) throw refuse('job_required');
  if (taskWithoutJob) return { kind: 'task', newJob: toJob({ taskId: taskWithoutJob }), ...end, ...agent };
  return { kind: 'single_call', newJob: toJob(), ...agent };
}

const endOf = ({ deps }: Context, text: string | null | undefined): RequestedEnd | undefined =>
  text ? requestedEnd(text, deps.config.TURN_SETTLE_SECONDS) : undefined;

/** The job that is made for the call. `agent`: the one whose turn it is. */
function newJobOf(
  context: Context,
  { metadata, userId, defaultJobType }: JobOfBody,
  { taskId, agent }: { taskId?: string; agent?: CallAgent },
): NewJob {
  return newJob(context, {
    job_type: context.headers['x-job-type'] ?? metadata?.job_type ?? agent?.name ?? defaultJobType,
    user_id: userId,
    metadata,
    ...(taskId && { external_task_id: taskId }),
  });
}

/** The task that a request names where the team's `job_key_from` looks for it. Throws for a value that is no task id. `spec 18.3` */
function findTeamTask({ caller, sentHeaders }: Context, { body }: JobOfBody): string | undefined {
  const derived = deriveTaskId(requireTeamCaller(caller).settings.job_key_from, { headers: sentHeaders, body });
  if (!derived) return undefined;
  if ('taskId' in derived) return derived.taskId;
  const { part, path } = derived.invalid;
  throw invalid([part, ...path], 'String should have 1 to 255 visible ASCII characters', 'value_error');
}
