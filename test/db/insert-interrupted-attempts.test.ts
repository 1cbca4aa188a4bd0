import { closeCall } from '../../src/db/calls/close-call.ts';
import { finishCall } from '../../src/db/calls/finish-call.ts';
import { insertInterruptedAttempts, type ModelAttempt } from '../../src/db/calls/insert-attempts.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { besideUncommitted, waitingForLocks } from '../support/locks.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const attemptsSql = statement(
  'test_attempts_of',
  'select worker_attempt, model, outcome from call_attempts where call_id = :call_id order by attempt_number',
);
const usageSql = statement(
  'test_usage_of',
  'select status, total_tokens, cached_tokens, reasoning_tokens, cost_usd from calls where call_id = :call_id',
);
const costSql = statement('test_cost_of', 'select cost_usd from calls where call_id = :call_id');

const one: ModelAttempt = {
  model: 'primary',
  outcome: 'failed',
  error: 'the upstream sent an unreadable answer',
  latency_ms: 1,
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_usd: '0.5',
};
const made: ModelAttempt[] = [one, { ...one, model: 'fallback', outcome: 'interrupted', cost_usd: '0.25' }];
const recorded = made.map(({ model, outcome }) => ({ worker_attempt: 1, model, outcome }));

let call: string;
const start = (workerAttempt: number) =>
  startCall(gateway.current.deps.database, call, { workerAttempt, startsJob: true, jobStartedAt: new Date() });
const record = (workerAttempt: number) =>
  insertInterruptedAttempts(gateway.current.deps.database, call, workerAttempt, made);
const attempts = () => gateway.current.deps.database.query(attemptsSql, { call_id: call });

beforeEach(async () => {
  const team = await given.team();
  call = await insertUnsentCall(gateway.current, team, await given.job(team));
  await start(1);
});

test('the requests of an attempt are recorded once, and the next attempt records no interrupted attempt in addition', async () => {
  await record(1);
  await record(1);
  await start(2);

  expect(await attempts()).toEqual(recorded);
});

test('an attempt that was superseded records nothing', async () => {
  await start(2);
  await record(1);

  expect(await attempts()).toMatchObject([{ worker_attempt: 1, outcome: 'interrupted' }]);
});

test('the cost of interrupted attempts is the cost of a call that is closed without a further attempt', async () => {
  const { database } = gateway.current.deps;
  await record(1);
  await closeCall(database, call, 'failed', 'cancelled');

  expect(await database.query(costSql, { call_id: call })).toEqual([{ cost_usd: '0.75' }]);
  expect(await attempts()).toEqual(recorded);
});

test('a call that is closed while a worker has it has an interrupted request (spec 4.7)', async () => {
  await start(2);
  await closeCall(gateway.current.deps.database, call, 'failed', 'the worker was lost');

  expect(await attempts()).toMatchObject([
    { worker_attempt: 1, outcome: 'interrupted' },
    { worker_attempt: 2, outcome: 'interrupted' },
  ]);
});

test('a call that is closed before a worker has it has no request', async () => {
  const team = await given.team();
  call = await insertUnsentCall(gateway.current, team, await given.job(team));
  await closeCall(gateway.current.deps.database, call, 'failed', 'cancelled');

  expect(await attempts()).toEqual([]);
});

/** The attempt ends with an answer of two tokens. */
const finish = (workerAttempt: number, usage: { cached_tokens?: number; reasoning_tokens?: number } = {}) =>
  finishCall(gateway.current.deps.database, {
    call_id: call,
    worker_attempt: workerAttempt,
    status: 'succeeded',
    model_used: 'primary',
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    cached_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
    cost_usd: '0.125',
    estimated_cost_usd: '0',
    latency_ms: 1,
    finish_reason: 'stop',
    has_tool_calls: false,
    error: null,
    failure: null,
    asynchronous: false,
    tokens_unknown: false,
    cost_unknown: false,
    kept_request: null,
    kept_options: null,
    attempts: [{ ...one, outcome: 'succeeded', error: null, cost_usd: '0.125' }],
    response: null,
    ...usage,
  });

test('the attempt that ends a call adds its cost to that of earlier attempts', async () => {
  await record(1);
  await start(2);
  await finish(2);

  expect(await gateway.current.deps.database.query(costSql, { call_id: call })).toEqual([{ cost_usd: '0.875' }]);
});

test('a call that was closed while an attempt ran keeps the request, the tokens of every kind and the cost of that attempt', async () => {
  const { database } = gateway.current.deps;
  await closeCall(database, call, 'failed', 'cancelled');

  expect(await finish(1, { cached_tokens: 3, reasoning_tokens: 4 })).toBeUndefined();

  expect(await database.query(usageSql, { call_id: call })).toEqual([
    { status: 'failed', total_tokens: 2, cached_tokens: 3, reasoning_tokens: 4, cost_usd: '0.125' },
  ]);
  expect(await attempts()).toEqual([{ worker_attempt: 1, model: 'primary', outcome: 'succeeded' }]);
});

test('an attempt that starts while the requests of the last one are being recorded records no interrupted attempt in addition', async () => {
  const lock = { sql: 'select from calls where call_id = $1 for update', values: [call], waiting: 2 };

  await besideUncommitted(gateway.current, lock, async () => {
    const recording = record(1);
    await waitingForLocks(gateway.current, 1);
    await Promise.all([recording, start(2)]);
  });

  expect(await attempts()).toEqual(recorded);
});
