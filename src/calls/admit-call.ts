import type { z } from 'zod';
import { type CallRequest, defaultTemperature, type SingleCallRequest } from '../contracts/calls.ts';
import { admitCall, type ModelRefusal } from '../db/calls/admit-call.ts';
import { admitSingleCall } from '../db/calls/admit-single-call.ts';
import type { JobStartRow } from '../db/jobs/job-start-row.ts';
import { isFinished } from '../domain/job-state.ts';
import { type Refusal, refuse, Unavailable } from '../errors.ts';
import { prove, shownKey } from '../http/auth/authenticate-cached.ts';
import { requireTeam, teamOf } from '../http/auth/caller.ts';
import type { RequestContext } from '../http/route.ts';
import { newFacts, newJob } from '../http/routes/jobs/new-job.ts';
import type { Retractable } from './retract-calls.ts';

type Asked = Partial<z.output<typeof SingleCallRequest>> &
  Pick<z.output<typeof CallRequest>, 'messages' | 'temperature' | 'max_tokens'>;

const forwarded = [
  'max_tokens',
  'response_format',
  'tools',
  'tool_choice',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
] as const;

/** The upstream request without the model: the fields of the interface and nothing else. JSON text. */
export function upstreamRequest(asked: Asked): string {
  const given = forwarded.filter((name) => asked[name] !== undefined && asked[name] !== null);
  return JSON.stringify({
    messages: asked.messages,
    temperature: asked.temperature ?? defaultTemperature,
    ...Object.fromEntries(given.map((name) => [name, asked[name]])),
  });
}

/** A call that is recorded and not signalled yet. */
export interface AdmittedCall {
  callId: string;
  job: JobStartRow;
  /** The job was made for this call, and ends with it. */
  opensJob: boolean;
  /** Null for an alias. */
  modelGroup: string | null;
  /** What the client asked for. */
  requestedModel: string;
  /** What to retract when the client is told 503. Undefined: the client finds the call again by repeating the request. */
  retractable: Retractable | undefined;
}

function modelRefusal(code: ModelRefusal, teamId: string, name: string): Refusal {
  return code === 'model_group_denied' ? refuse(code, teamId, name) : refuse(code, name);
}

/** `spec 4.8`; the ids are also sent with an error from here on. */
function sayIds(context: RequestContext, jobId: string, callId: string): void {
  context.setHeader('X-Job-Id', jobId);
  context.setHeader('X-Call-Id', callId);
}

const unlessRepeatable = ({ repeatable }: RequestContext, call: Retractable): Retractable | undefined =>
  repeatable ? undefined : call;

/** Waits for the record of a call. If PostgreSQL does not answer, it may still make the record once it is back. */
async function recorded<T>({ deps }: RequestContext, admission: Promise<T>, retractable?: Retractable): Promise<T> {
  try {
    return await admission;
  } catch (error) {
    if (retractable && error instanceof Unavailable) deps.retractions.later(retractable);
    throw error;
  }
}

/** Records a call of an open job of the caller's team, with a model that the team may use; a refusal leaves no record. */
export async function admitToJob(
  context: RequestContext,
  jobId: string,
  asked: z.output<typeof CallRequest>,
  { streamed }: { streamed: boolean },
): Promise<AdmittedCall> {
  const caller = teamOf(context.caller);
  const { teamId } = caller;
  const callId = context.newId('call');
  const admitting = admitCall(context.deps.database, {
    call_id: callId,
    job_id: jobId,
    team_id: teamId,
    requested_model: asked.model_group,
    purpose: asked.purpose ?? null,
    streamed,
    call_metadata: asked.call_metadata ?? null,
    request: upstreamRequest(asked),
    key: shownKey(caller),
  });
  const retractable = unlessRepeatable(context, { callId, opensJob: false, job: { job_id: jobId } });
  const admission = await recorded(context, admitting, retractable);
  prove(caller, admission.key_holds);
  const { job, refusal, admitted, model_group_used } = admission;
  if (!job) throw refuse('job_not_found', jobId);
  if (job.team_id !== teamId) throw refuse('job_of_another_team');
  // Whatever model the call asks for: `spec 3.5`.
  if (!admitted && isFinished(job.status)) throw refuse('job_finished', job.status);
  if (!admitted && refusal) throw modelRefusal(refusal, teamId, asked.model_group);
  sayIds(context, jobId, callId);
  return {
    callId,
    job,
    opensJob: false,
    modelGroup: model_group_used,
    requestedModel: asked.model_group,
    retractable,
  };
}

/** Records a job with its one call; a refusal leaves neither. */
export async function admitSingle(
  context: RequestContext,
  asked: z.output<typeof SingleCallRequest>,
  { streamed }: { streamed: boolean },
): Promise<AdmittedCall> {
  const { deps, newId } = context;
  const team = teamOf(context.caller);
  requireTeam(team, asked.team_id);
  const callId = newId('call');
  const job = newJob(context, { ...asked, metadata: asked.job_metadata });
  const admitting = admitSingleCall(deps.database, job, {
    call_id: callId,
    job_id: job.job_id,
    team_id: team.teamId,
    requested_model: asked.model,
    purpose: asked.purpose ?? null,
    streamed,
    request: upstreamRequest(asked),
    key: shownKey(team),
  });
  const retractable = unlessRepeatable(context, { callId, opensJob: true, job });
  const admission = await recorded(context, admitting, retractable);
  prove(team, admission.key_holds);
  const { refusal, created_at, model_group_used, delivery_ids } = admission;
  if (refusal === 'insufficient_credits') throw refuse(refusal);
  if (refusal) throw modelRefusal(refusal, team.teamId, asked.model);
  deps.deliveries.start(delivery_ids);
  sayIds(context, job.job_id, callId);
  return {
    callId,
    job: newFacts({ ...job, created_at: created_at!, single_call: true }),
    opensJob: true,
    modelGroup: model_group_used,
    requestedModel: asked.model,
    retractable,
  };
}
