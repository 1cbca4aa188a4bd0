import Big from 'big.js';
import type { FinalJobStatus } from '../../src/domain/job-state.ts';
import { dayMs, hourMs } from '../../src/domain/time/buckets.ts';
import type { Random } from './random.ts';
import { type DemoModel, type DemoStep, type DemoTeam, demoGroups } from './story.ts';

/** Jobs of the past, as they could have been. Pure. */

export interface InventedAttempt {
  model: string;
  outcome: 'succeeded' | 'failed';
  error: string | null;
  latency_ms: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: string;
}

export interface InventedCall {
  call_id: string;
  purpose: string;
  model_group: string;
  candidates: DemoModel[];
  streamed: boolean;
  created_at: Date;
  started_at: Date;
  finished_at: Date;
  error: string | null;
  failure: 'timeout' | 'rate_limited' | 'error' | null;
  attempts: InventedAttempt[];
  prompt: string;
  answer: string;
}

export interface InventedJob {
  job_id: string;
  job_type: string;
  user_id: string;
  external_task_id: string | null;
  metadata: Record<string, string>;
  status: FinalJobStatus;
  error_message: string | null;
  cancel_reason: string | null;
  ended_by: 'client' | 'idle';
  created_at: Date;
  completed_at: Date;
  calls: InventedCall[];
  /** When the charge was given back, if the job was charged; undefined: never. */
  refunded_at: Date | undefined;
}

const perMillion = 1_000_000;

const costOf = (model: DemoModel, prompt: number, completion: number): string =>
  Big(model.prompt).times(prompt).plus(Big(model.completion).times(completion)).div(perMillion).toFixed();

function succeeded(model: DemoModel, step: DemoStep, random: Random): InventedAttempt {
  const [prompt_tokens, completion_tokens] = [random.around(step.promptTokens), random.around(step.completionTokens)];
  const latency_ms = Math.round(random.around(350) + (completion_tokens / model.speed) * 1_000);
  return {
    model: model.name,
    outcome: 'succeeded',
    error: null,
    latency_ms,
    prompt_tokens,
    completion_tokens,
    cost_usd: costOf(model, prompt_tokens, completion_tokens),
  };
}

const failed = (model: DemoModel, error: string, random: Random): InventedAttempt => ({
  model: model.name,
  outcome: 'failed',
  error,
  latency_ms: random.around(error.startsWith('No response') ? 120_000 : 600),
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_usd: '0',
});

function failureOf(error: string): InventedCall['failure'] {
  if (error.startsWith('No response')) return 'timeout';
  return error.endsWith('429') ? 'rate_limited' : 'error';
}

function inventCall(step: DemoStep, error: string, at: Date, random: Random): InventedCall {
  const candidates = demoGroups[step.group]!.models;
  const [first, second] = candidates as [DemoModel, DemoModel];
  const fallsBack = random.isOneIn(14);
  const fails = fallsBack && random.isOneIn(3);
  const attempts = fallsBack
    ? [failed(first, error, random), fails ? failed(second, error, random) : succeeded(second, step, random)]
    : [succeeded(first, step, random)];
  const started = at.getTime() + random.around(12);
  const tookMs = attempts.reduce((sum, { latency_ms }) => sum + latency_ms, 0);
  return {
    call_id: random.uuid(),
    purpose: step.purpose,
    model_group: step.group,
    candidates,
    streamed: random.isOneIn(3),
    created_at: at,
    started_at: new Date(started),
    finished_at: new Date(started + tookMs),
    error: fails ? error : null,
    failure: fails ? failureOf(error) : null,
    attempts,
    prompt: step.prompt,
    answer: step.answer,
  };
}

function inventJob(team: DemoTeam, at: Date, random: Random): InventedJob {
  const { job_type, steps, error } = random.pickByWeight(team.jobTypes);
  const isCancelled = random.isOneIn(22);
  const calls: InventedCall[] = [];
  let next = at.getTime() + random.around(400);
  for (const step of isCancelled ? steps.slice(0, 1) : steps) {
    const call = inventCall(step, error, new Date(next), random);
    calls.push(call);
    next = call.finished_at.getTime() + random.around(1_500);
  }
  const failedCall = calls.find((call) => call.error !== null);
  const status = isCancelled ? 'cancelled' : failedCall && random.isOneIn(2) ? 'failed' : 'completed';
  return {
    job_id: random.uuid(),
    job_type,
    user_id: random.pick(team.users),
    external_task_id: random.isOneIn(2)
      ? `${job_type.split('_')[0]}-${Math.floor(random.next() * 90_000) + 10_000}`
      : null,
    metadata: { region: random.pick(['eu', 'us']), channel: random.pick(['portal', 'mail', 'phone']) },
    status,
    error_message: status === 'failed' ? `The step "${failedCall!.purpose}" failed` : null,
    cancel_reason: isCancelled ? random.pick(['The customer withdrew', 'Duplicate of another job']) : null,
    ended_by: 'client',
    created_at: at,
    completed_at: new Date(next),
    calls,
    refunded_at: random.isOneIn(40) ? new Date(next + random.around(6 * hourMs)) : undefined,
  };
}

/** More in the middle of the day. */
const hourOfDay = (random: Random): number => 7 + (random.next() + random.next() + random.next()) * 4.3;

const isWeekend = (day: Date): boolean => [0, 6].includes(day.getUTCDay());

/** The jobs of a team in the days before `until`, oldest first by their end. */
export function inventJobs(team: DemoTeam, days: number, until: Date, random: Random): InventedJob[] {
  const jobs: InventedJob[] = [];
  const today = Math.floor(until.getTime() / dayMs) * dayMs;
  for (let ago = days; ago >= 0; ago -= 1) {
    const day = new Date(today - ago * dayMs);
    const count = random.around(isWeekend(day) ? team.jobsADay / 4 : team.jobsADay);
    for (let n = 0; n < count; n += 1)
      jobs.push(inventJob(team, new Date(day.getTime() + Math.round(hourOfDay(random) * hourMs)), random));
  }
  const ended = jobs.filter(({ completed_at }) => completed_at.getTime() < until.getTime() - 60_000);
  return ended.sort((one, other) => one.completed_at.getTime() - other.completed_at.getTime());
}
