import Big from 'big.js';
import type { FinishedCall } from '../../src/db/calls/finish-call.ts';
import type { ModelAttempt } from '../../src/db/calls/insert-attempts.ts';
import type { NewJob } from '../../src/db/jobs/insert-job.ts';
import type { CallFailure } from '../../src/domain/call-failure.ts';
import type { FinalJobStatus } from '../../src/domain/job-state.ts';
import { sumUsd } from '../../src/domain/pricing.ts';
import { dayMs, hourMs } from '../../src/domain/time/buckets.ts';
import type { Random } from './random.ts';
import { type DemoModel, type DemoStep, type DemoTeam, demoGroups } from './story.ts';

/** Jobs of the past, as they could have been. Pure. */

export interface InventedCall {
  step: DemoStep;
  streamed: boolean;
  created_at: Date;
  started_at: Date;
  /** Undefined: the call is not streamed, or has failed. */
  first_token_at: Date | undefined;
  finished_at: Date;
  result: FinishedCall;
}

export interface InventedJob {
  job: NewJob;
  status: FinalJobStatus;
  error_message: string | null;
  cancel_reason: string | null;
  created_at: Date;
  completed_at: Date;
  calls: InventedCall[];
  /** The time at which the charge was given back, if the job was charged; undefined: never. */
  refunded_at: Date | undefined;
}

const perMillion = 1_000_000;

const computeCost = (model: DemoModel, prompt: number, completion: number): string =>
  Big(model.prompt).times(prompt).plus(Big(model.completion).times(completion)).div(perMillion).toFixed();

function succeeded(model: DemoModel, step: DemoStep, random: Random): ModelAttempt {
  const [prompt_tokens, completion_tokens] = [random.around(step.promptTokens), random.around(step.completionTokens)];
  return {
    model: model.name,
    outcome: 'succeeded',
    error: null,
    latency_ms: Math.round(random.around(350) + (completion_tokens / model.speed) * 1_000),
    prompt_tokens,
    completion_tokens,
    cost_usd: computeCost(model, prompt_tokens, completion_tokens),
  };
}

const failed = (model: DemoModel, error: string, random: Random): ModelAttempt => ({
  model: model.name,
  outcome: 'failed',
  error,
  failure: failureOf(error),
  ...statusOf(error),
  latency_ms: random.around(error.startsWith('No response') ? 120_000 : 600),
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_usd: '0',
});

function failureOf(error: string): CallFailure {
  if (error.startsWith('No response')) return 'timeout';
  return error.endsWith('429') ? 'rate_limited' : 'error';
}

function statusOf(error: string): Pick<ModelAttempt, 'status_code' | 'error_code'> {
  const status_code = Number(/\d{3}$/.exec(error)?.[0] ?? Number.NaN);
  if (Number.isNaN(status_code)) return {};
  return { status_code, error_code: status_code === 429 ? 'rate_limit_exceeded' : 'internal_server_error' };
}

const sum = (attempts: readonly ModelAttempt[], value: (one: ModelAttempt) => number): number =>
  attempts.reduce((total, one) => total + value(one), 0);

function newResult(call_id: string, attempts: ModelAttempt[], answer: string): FinishedCall {
  const { outcome, error, model } = attempts.at(-1)!;
  const hasSucceeded = outcome === 'succeeded';
  return {
    call_id,
    worker_attempt: 1,
    status: hasSucceeded ? 'succeeded' : 'failed',
    model_used: hasSucceeded ? model : null,
    prompt_tokens: sum(attempts, (one) => one.prompt_tokens),
    completion_tokens: sum(attempts, (one) => one.completion_tokens),
    total_tokens: sum(attempts, (one) => one.prompt_tokens + one.completion_tokens),
    cached_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
    cost_usd: sumUsd(attempts.map(({ cost_usd }) => cost_usd)),
    estimated_cost_usd: '0',
    latency_ms: sum(attempts, (one) => one.latency_ms),
    finish_reason: hasSucceeded ? 'stop' : null,
    has_tool_calls: false,
    error,
    failure: error === null ? null : failureOf(error),
    attempts,
    response: hasSucceeded ? JSON.stringify({ content: answer }) : null,
    asynchronous: false,
    tokens_unknown: false,
    cost_unknown: false,
    kept_request: null,
    kept_options: null,
  };
}

function inventCall(step: DemoStep, error: string, created_at: Date, random: Random): InventedCall {
  const [first, second] = demoGroups[step.group]!.models as [DemoModel, DemoModel];
  const fallsBack = random.isOneIn(14);
  const fails = fallsBack && random.isOneIn(3);
  const attempts = fallsBack
    ? [failed(first, error, random), fails ? failed(second, error, random) : succeeded(second, step, random)]
    : [succeeded(first, step, random)];
  const result = newResult(random.uuid(), attempts, step.answer);
  const startedAt = created_at.getTime() + random.around(12);
  const streamed = random.isOneIn(3);
  return {
    step,
    streamed,
    created_at,
    started_at: new Date(startedAt),
    first_token_at: streamed && !fails ? new Date(startedAt + 320) : undefined,
    finished_at: new Date(startedAt + result.latency_ms),
    result,
  };
}

function inventJob(team: DemoTeam, created_at: Date, random: Random): InventedJob {
  const { job_type, steps, error } = random.pickByWeight(team.jobTypes);
  const isCancelled = random.isOneIn(22);
  const calls: InventedCall[] = [];
  let next = created_at.getTime() + random.around(400);
  for (const step of isCancelled ? steps.slice(0, 1) : steps) {
    const call = inventCall(step, error, new Date(next), random);
    calls.push(call);
    next = call.finished_at.getTime() + random.around(1_500);
  }
  const failedCall = calls.find(({ result }) => result.status === 'failed');
  const status = isCancelled ? 'cancelled' : failedCall && random.isOneIn(2) ? 'failed' : 'completed';
  const task = `${job_type.split('_')[0]}-${Math.floor(random.next() * 90_000) + 10_000}`;
  return {
    job: {
      job_id: random.uuid(),
      team_id: team.team_id,
      organization_id: team.organization_id,
      job_type,
      user_id: random.pick(team.users),
      external_task_id: random.isOneIn(2) ? task : null,
      metadata: { region: random.pick(['eu', 'us']), channel: random.pick(['portal', 'mail', 'phone']) },
      key_id: null,
    },
    status,
    error_message: status === 'failed' ? `The step "${failedCall!.step.purpose}" failed` : null,
    cancel_reason: isCancelled ? random.pick(['The customer withdrew', 'Duplicate of another job']) : null,
    created_at,
    completed_at: new Date(next),
    calls,
    refunded_at: random.isOneIn(40) ? new Date(next + random.around(6 * hourMs)) : undefined,
  };
}

/** More jobs begin in the middle of the day. */
const hourOfDay = (random: Random): number => 7 + (random.next() + random.next() + random.next()) * 4.3;

const isWeekend = (day: Date): boolean => [0, 6].includes(day.getUTCDay());

/** The jobs of a team in the days before `until`, each of which has ended. */
export function inventJobs(team: DemoTeam, days: number, until: Date, random: Random): InventedJob[] {
  const jobs: InventedJob[] = [];
  const today = Math.floor(until.getTime() / dayMs) * dayMs;
  for (let ago = days; ago >= 0; ago -= 1) {
    const day = new Date(today - ago * dayMs);
    const count = random.around(isWeekend(day) ? team.jobsADay / 4 : team.jobsADay);
    for (let n = 0; n < count; n += 1)
      jobs.push(inventJob(team, new Date(day.getTime() + Math.round(hourOfDay(random) * hourMs)), random));
  }
  return jobs.filter(({ completed_at }) => completed_at.getTime() < until.getTime() - 60_000);
}
