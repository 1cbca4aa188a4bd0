import { admitCallToJob, type ModelRefusal, type NewCall } from '../db/calls/admit-call-to-job.ts';
import { admitCallToTask } from '../db/calls/admit-call-to-task.ts';
import { admitCallWithJob } from '../db/calls/admit-call-with-job.ts';
import type { NewJob } from '../db/jobs/insert-job.ts';
import { type JobStartRow, newJobStartRow } from '../db/jobs/job-start-row.ts';
import type { JobEndCondition } from '../domain/job-end-condition.ts';
import { isFinished } from '../domain/job-state.ts';
import { type Refusal, refuse, Unavailable } from '../errors.ts';
import { type CallContext, type CallTarget, KeyChanged, type ModelRequest } from './call-context.ts';
import type { Retractable } from './retract-calls.ts';

/** A call that is recorded and not yet signalled. */
export interface AdmittedCall {
  callId: string;
  job: JobStartRow;
  /** The job was created for this call and ends with it. */
  opensJob: boolean;
  /** The job was created with this call, and its workflow is not started yet. */
  isJobNew: boolean;
  /** When the call ends its open job. */
  endCondition: JobEndCondition | null;
  /** Null for an alias. */
  modelGroup: string | null;
  purpose: string | null;
  /** What to retract when the client gets a 503. */
  retractable: Retractable;
}

export interface CallToAdmit {
  callId: string;
  request: ModelRequest;
  target: CallTarget;
  streamed: boolean;
}

/** Records a call, with the job that is created for it, if its team may make it; a refusal leaves no record. */
export function admitCall(context: CallContext, call: CallToAdmit): Promise<AdmittedCall> {
  const { target } = call;
  if ('jobId' in target) return admitToJob(context, call, target.jobId);
  return 'task' in target ? admitToTask(context, call, target.task) : admitWithJob(context, call, target.newJob);
}

async function admitToJob(context: CallContext, call: CallToAdmit, jobId: string): Promise<AdmittedCall> {
  const { deps, team } = context;
  const { callId, request } = call;
  const retractable = { callId, jobId, teamId: team.teamId, operation: context.operation };
  const admitting = admitCallToJob(deps.database, recordOf(context, call, jobId));
  const admission = await retractOnOutage(context, admitting, retractable);
  verifyKey(context, admission.key_unchanged);
  const { job, refusal, admitted, model_group_used, extra_fields } = admission;
  if (!job) throw refuse('job_not_found', jobId);
  if (job.team_id !== team.teamId) throw refuse('job_of_another_team');
  // Whatever model the call names: `spec 3.5`.
  if (!admitted && isFinished(job.status)) throw refuse('job_finished', job.status);
  if (!admitted && refusal) throw refusalOf(refusal, team.teamId, request.model);
  context.onAdmitted({ jobId, callId, extraFields: extra_fields ?? [] });
  return {
    callId,
    job,
    opensJob: false,
    isJobNew: false,
    endCondition: endConditionOf(call.target),
    modelGroup: model_group_used,
    purpose: request.purpose,
    retractable,
  };
}

/** A job that is made for a task stays when its first call is retracted: other calls of the task may be in it. */
async function admitToTask(context: CallContext, call: CallToAdmit, newJob: NewJob): Promise<AdmittedCall> {
  const { deps, team } = context;
  const { callId, request } = call;
  const retractable = { callId, teamId: team.teamId, operation: context.operation };
  const admitting = admitCallToTask(deps.database, newJob, recordOf(context, call, newJob.job_id));
  const admission = await retractOnOutage(context, admitting, retractable);
  if (!admission) throw new Unavailable('job');
  verifyKey(context, admission.key_unchanged);
  const { job, created, refusal, model_group_used, extra_fields, delivery_ids } = admission;
  if (refusal) throw refusalOf(refusal, team.teamId, request.model);
  deps.deliveries.start(delivery_ids);
  context.onAdmitted({ jobId: job!.job_id, callId, extraFields: extra_fields ?? [] });
  return {
    callId,
    job: job!,
    opensJob: false,
    isJobNew: created,
    endCondition: endConditionOf(call.target),
    modelGroup: model_group_used,
    purpose: request.purpose,
    retractable: { ...retractable, jobId: job!.job_id },
  };
}

async function admitWithJob(context: CallContext, call: CallToAdmit, job: NewJob): Promise<AdmittedCall> {
  const { deps, team } = context;
  const { callId, request } = call;
  if (job.team_id !== team.teamId) throw refuse('key_of_another_team', job.team_id);
  const { job_id, team_id } = job;
  const retractable = { callId, jobId: job_id, teamId: team_id, operation: context.operation, openedJobId: job_id };
  const admitting = admitCallWithJob(deps.database, job, recordOf(context, call, job.job_id));
  const admission = await retractOnOutage(context, admitting, retractable);
  verifyKey(context, admission.key_unchanged);
  const { refusal, created_at, model_group_used, extra_fields, delivery_ids } = admission;
  if (refusal) throw refusalOf(refusal, team.teamId, request.model);
  deps.deliveries.start(delivery_ids);
  context.onAdmitted({ jobId: job.job_id, callId, extraFields: extra_fields ?? [] });
  return {
    callId,
    job: newJobStartRow({ ...job, created_at: created_at!, single_call: true }),
    opensJob: true,
    isJobNew: true,
    endCondition: null,
    modelGroup: model_group_used,
    purpose: request.purpose,
    retractable,
  };
}

export const endConditionOf = (target: CallTarget): JobEndCondition | null =>
  ('endCondition' in target && target.endCondition) || null;

const recordOf = (
  { team, fingerprint }: CallContext,
  { callId, request, target, streamed }: CallToAdmit,
  jobId: string,
): NewCall => ({
  call_id: callId,
  job_id: jobId,
  team_id: team.teamId,
  requested_model: request.model,
  purpose: request.purpose,
  streamed,
  call_metadata: request.metadata,
  request: request.body,
  options: request.options ? JSON.stringify(request.options) : null,
  end_job: endConditionOf(target),
  fingerprint: fingerprint ?? null,
  key: team.key,
});

/** Waits for the record of a call. PostgreSQL may make it after an outage too: the call is retracted then. */
async function retractOnOutage<T>({ deps }: CallContext, admission: Promise<T>, retractable: Retractable): Promise<T> {
  try {
    return await admission;
  } catch (error) {
    if (error instanceof Unavailable) deps.retractions.later(retractable);
    throw error;
  }
}

/** Throws `KeyChanged` for a key that is no longer what it was; then the statement has changed nothing. */
function verifyKey({ team }: CallContext, holds: boolean): void {
  if (!holds) throw new KeyChanged();
  team.isVerified = true;
}

export function refusalOf(code: ModelRefusal | 'insufficient_credits', teamId: string, name: string): Refusal {
  if (code === 'insufficient_credits') return refuse(code);
  return code === 'model_group_denied' ? refuse(code, teamId, name) : refuse(code, name);
}
