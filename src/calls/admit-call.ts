import { type Admission, admitCallToJob, type ClientRequest, type NewCall } from '../db/calls/admit-call-to-job.ts';
import { admitCallToTask } from '../db/calls/admit-call-to-task.ts';
import { admitCallWithJob } from '../db/calls/admit-call-with-job.ts';
import { isForeignKeyViolation } from '../db/connection/failures.ts';
import { closeToTask } from '../db/jobs/close-to-task.ts';
import type { JobStartRow } from '../db/jobs/job-start-row.ts';
import { vectorsKeptMinutes } from '../domain/embeddings.ts';
import { isFinished } from '../domain/job-state.ts';
import { refuse, Unavailable } from '../errors.ts';
import { storageOfMetadata } from '../holders/stored-bytes.ts';
import { type CallContext, type ModelRequest, VirtualKeyChanged } from './call-context.ts';
import { type CallInJob, inJob, jobEndOf, type KnownTarget, turnSecondsOf } from './call-target.ts';
import { refusalOfNewJob } from './refusal-of-new-job.ts';
import { maxUnfinishedResponses, refusalOfAdmission } from './refuse-admission.ts';
import type { RetractableCall } from './retract-calls.ts';
import { rememberOutputLimit } from './token-budget.ts';

/** A call that is recorded and not yet signalled. */
export interface AdmittedCall extends CallInJob {
  callId: string;
  job: JobStartRow;
  /** The job was created with this call, and its workflow is not started yet. */
  isJobNew: boolean;
  /** Null for an alias. */
  modelGroup: string | null;
  purpose: string | null;
  /** Null: the call does not want to end a turn. */
  turnSeconds: number | null;
  /** The event that the job was created. */
  deliveryIds: readonly string[];
  /** What to retract when the client gets a 503. */
  retractable: RetractableCall;
}

export interface CallToAdmit {
  callId: string;
  request: ModelRequest;
  target: KnownTarget;
  streamed: boolean;
  /** The client does not wait for its end. */
  asynchronous?: boolean;
}

/** Records a call, with the job that is created for it, if its team may make it; a refusal leaves no record. */
export async function admitCall(context: CallContext, call: CallToAdmit): Promise<AdmittedCall> {
  const { deps, team } = context;
  const { callId, request, target } = call;
  if (target.kind === 'single_call' && target.newJob.team_id !== team.teamId)
    throw refuse('key_of_another_team', target.newJob.team_id);
  const ofJob = target.kind === 'open_job' ? null : target.newJob.metadata;
  deps.storedBytes.require(team.teamId, storageOfMetadata(ofJob) + storageOfMetadata(request.metadata));
  const retractable = toRetractable(context, call);
  const admission = await retractOnOutage(context, admitWithBudget(context, call), retractable);
  if (!admission) throw new Unavailable('job');
  if (!admission.key_unchanged) throw new VirtualKeyChanged();
  if (admission.is_exhausted) deps.deliveries.startNew(team.teamId);
  const { job, created, model_group_used, extra_fields, blocked_fields, max_output_tokens, delivery_ids } = admission;
  const { reservation } = admission;
  if (target.kind === 'open_job') requireOpenJob(admission, target.jobId, team.teamId);
  if (!admission.admitted && admission.refusal) {
    deps.deliveries.start(team.teamId, delivery_ids);
    throw refusalOfAdmission(admission, team.teamId, request.model);
  }
  const { job_id: jobId } = job!;
  rememberOutputLimit(context, request, max_output_tokens);
  const budget = reservation && 'view' in reservation ? reservation.view : null;
  if (budget) deps.modelList.refresh();
  context.onAdmitted({
    jobId,
    callId,
    extraFields: extra_fields ?? [],
    blockedFields: blocked_fields ?? [],
    budget,
  });
  if (deps.config.SPECULATIVE_START) notifyWorkers(context, call, jobId, admission);
  return {
    callId,
    ...inJob(target, jobId),
    job: job!,
    isJobNew: created,
    modelGroup: model_group_used,
    purpose: request.purpose,
    turnSeconds: turnSecondsOf(target),
    deliveryIds: delivery_ids,
    retractable: { ...retractable, jobId },
  };
}

/** A worker may request the answer while the call is on its way through Temporal: docs/optimisations/speculative-start.md. */
function notifyWorkers(
  { deps, team, requestId, traceContext }: CallContext,
  { callId, request, streamed }: CallToAdmit,
  jobId: string,
  { recorded, model_group_used, extra_fields, blocked_fields, created }: Admission,
): void {
  if (!recorded) return;
  const { candidates, max_output_tokens, key_sealed } = recorded;
  const { body, options = null } = request;
  const notice = {
    call_id: callId,
    job_id: jobId,
    team_id: team.teamId,
    request_id: requestId,
    trace_context: traceContext ?? null,
    model_group_used,
    streamed,
    candidates,
    request: body,
    options,
    request_bytes: Buffer.byteLength(body) + Buffer.byteLength(options ?? ''),
    extra_fields,
    blocked_fields,
    max_output_tokens,
    key_sealed: key_sealed === null ? null : Buffer.from(key_sealed, 'base64'),
  };
  deps.queuedCalls.publish(notice, created);
}

/** Jobs of a task whose deadline has passed and that are still open: each is closed to the task. */
const maxJobsPastDeadline = 10;

/**
 * The admission once it can be decided. The list of models is read first where the budget depends on a model that it does not have. A
 * call of a task that finds a job after its deadline opens the next one: nothing was recorded, so it keeps its ids and a repetition
 * of the request finds it.
 */
async function admitWithBudget(context: CallContext, call: CallToAdmit): Promise<Admission | undefined> {
  const { database, modelList } = context.deps;
  let mayReadList = modelList.mayRead();
  for (let turn = 1; ; turn += 1) {
    const send = () => sendAdmission(context, call, mayReadList);
    // The job of the task, or of the path, was retracted at this moment.
    const admission = await send().catch((error: unknown) =>
      isForeignKeyViolation(error) ? send() : Promise.reject(refusalOfNewJob(error)),
    );
    const { reservation } = admission ?? {};
    if (reservation?.refusal === 'list_needed') {
      await modelList.read();
      mayReadList = false;
    } else if (
      reservation?.refusal === 'job_deadline_exceeded' &&
      call.target.kind === 'task' &&
      turn <= maxJobsPastDeadline
    )
      await closeToTask(database, reservation.job_id);
    else return admission;
  }
}

/** Undefined: the jobs of the task ended as fast as they were found. */
function sendAdmission(context: CallContext, call: CallToAdmit, mayReadList: boolean): Promise<Admission | undefined> {
  const { database } = context.deps;
  const { target } = call;
  const record = (jobId: string) => newCallRecord(context, call, jobId, mayReadList);
  switch (target.kind) {
    case 'open_job':
      return admitCallToJob(database, record(target.jobId));
    case 'single_call':
      return admitCallWithJob(database, target.newJob, record(target.newJob.job_id));
    case 'task':
      return admitCallToTask(database, target.newJob, record(target.newJob.job_id));
  }
}

/**
 * A job that is made for a task stays when its first call is retracted, because other calls of the task may be in it. Which job
 * that is, the admission finds out.
 */
function toRetractable({ team, operation }: CallContext, { callId, target }: CallToAdmit): RetractableCall {
  const retractable = { callId, teamId: team.teamId, operation };
  switch (target.kind) {
    case 'open_job':
      return { ...retractable, jobId: target.jobId };
    case 'single_call':
      return { ...retractable, jobId: target.newJob.job_id, singleCallJobId: target.newJob.job_id };
    case 'task':
      return retractable;
  }
}

/** Refuses a call to a job that is not there, not the team's or not open, whatever model the call names: `spec 3.5`. */
function requireOpenJob({ job, admitted }: Admission, jobId: string, teamId: string): void {
  if (!job) throw refuse('job_not_found', jobId);
  if (job.team_id !== teamId) throw refuse('job_of_another_team');
  if (!admitted && isFinished(job.status)) throw refuse('job_finished', job.status);
}

/** Above what the team may store in a day, no later request can name the call. `spec 9.10` */
const storable = ({ deps, team }: CallContext, client: ClientRequest | undefined): ClientRequest | null =>
  client && deps.storedBytes.take(team.teamId, Buffer.byteLength(client.request) + Buffer.byteLength(client.input))
    ? client
    : null;

/** A column for tokens holds no more. */
const maxInteger = 2_147_483_647;

/** The most tokens of the answer. Null: the client sets no limit. */
function outputTokens({ isForEmbeddings, maxTokens }: ModelRequest): number | null {
  if (isForEmbeddings) return 0;
  return maxTokens > 0 ? Math.min(Math.ceil(maxTokens), maxInteger) : null;
}

const newCallRecord = (
  context: CallContext,
  { callId, request, target, streamed, asynchronous = false }: CallToAdmit,
  jobId: string,
  mayReadList: boolean,
): NewCall => ({
  call_id: callId,
  job_id: jobId,
  request_id: context.requestId,
  trace_context: context.traceContext ?? null,
  team_id: context.team.teamId,
  requested_model: request.model,
  purpose: request.purpose,
  streamed,
  asynchronous,
  call_metadata: request.metadata,
  request: request.body,
  options: request.options ?? null,
  end_job: jobEndOf(target),
  turn_seconds: turnSecondsOf(target),
  agent: target.agent ?? null,
  fingerprint: context.fingerprint ?? null,
  client_request: storable(context, request.clientRequest),
  prompt_tokens: request.promptTokensToReserve,
  output_tokens: outputTokens(request),
  vectors_kept_minutes: request.isForEmbeddings
    ? vectorsKeptMinutes[context.operation ? 'repeatable' : 'usually']
    : null,
  most_unfinished: asynchronous && request.clientRequest ? maxUnfinishedResponses : null,
  may_read_list: mayReadList,
  key: { hashes: context.team.key.hashes, ...context.team.settings },
});

/** Waits for the record of a call. PostgreSQL may make it after an outage too: the call is retracted then. */
async function retractOnOutage<T>(
  { deps }: CallContext,
  admission: Promise<T>,
  retractable: RetractableCall,
): Promise<T> {
  try {
    return await admission;
  } catch (error) {
    if (error instanceof Unavailable) deps.retractions.later(retractable);
    throw error;
  }
}
