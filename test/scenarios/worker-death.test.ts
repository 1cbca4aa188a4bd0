import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, hello, singleCallBody } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** Those that run. To start one takes two seconds of a core, so that a test goes on with the worker that the test before has left. */
let workers: WorkerProcess[] = [];
const startWorker = async () => {
  const worker = await startWorkerProcess(gateway.current);
  workers.push(worker);
  return worker;
};
const givenWorker = async () => {
  const worker = workers.at(-1) ?? (await startWorker());
  await until(() => !gateway.current.deps.workerWatch.isUnavailable());
  return worker;
};
const killWorkers = async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
};
afterAll(killWorkers);

test('a call whose worker is killed before a token is made by the next worker, and counts once, in a budget with its reservation (spec 4.7, spec 23.8)', async () => {
  const model = 'sim-slow-60000-once-as-death-before';
  const team = await given.team({ credits: 5, models: [model] });
  await givenWorker();
  const job = await given.job(team, { budget: { max_tokens: 100_000, default_output_tokens: 900 } });
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);

  await killWorkers();
  await startWorker();
  const answer = expectOk(await call);
  const { budget } = expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
  const outcome = expectOk(await as(gateway, team).complete(job));

  expect(answer.response.finish_reason).toBe('stop');
  expect(outcome.costs).toMatchObject({ total_calls: 1, failed_calls: 0, credit_applied: true, credits_remaining: 4 });
  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown[0].attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'interrupted',
    'succeeded',
  ]);
  expect(budget.spent.tokens).toBeGreaterThan(900);
  expect(budget.assumed.tokens).toBe(budget.spent.tokens - outcome.costs.total_tokens);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test('a call that its worker leaves during a fallback has the outcome and the cost of each attempt', async () => {
  const [primary, fallback] = ['sim-half-json-cost-500-as-left', 'sim-slow-60000-once-as-left'];
  const team = await given.team({ credits: 5, models: [primary, fallback] });
  const first = await givenWorker();
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, fallback);

  await startWorker();
  await first.end();
  workers.shift();
  expectOk(await call);

  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown[0].attempts).toMatchObject([
    { model: primary, outcome: 'failed', cost_usd: 0.0005 },
    { model: fallback, outcome: 'interrupted' },
    { model: primary, outcome: 'failed', cost_usd: 0.0005 },
    { model: fallback, outcome: 'succeeded' },
  ]);
  expect(breakdown[0].cost_usd).toBeGreaterThan(0.001);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test('a stream whose worker is killed after a token ends with an error, its job is not charged, and what it took is estimated (spec 4.7, spec 21.10)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-tokens-100-every-100'] });
  await givenWorker();
  const job = await given.job(team);
  const streaming = fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_group: team.modelGroup, messages: hello }),
  });
  const reader = (await streaming).body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? '';

  await killWorkers();
  await startWorker();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;

  const events = readEvents(text);
  expect(events.at(-1)).toBe('[DONE]');
  expect(JSON.parse(events.at(-2)!).error.message).toBe('LLM call failed: interrupted after the first token');
  const outcome = expectOk(await as(gateway, team).complete(job));
  expect(outcome.costs).toMatchObject({ total_calls: 1, failed_calls: 1, total_cost_usd: 0, credit_applied: false });
  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown).toMatchObject([{ estimated: true, cost_usd: 0 }]);
  expect(breakdown[0].attempts).toMatchObject([{ outcome: 'interrupted', estimated: true, completion_tokens: 1 }]);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 60_000);

test.each([
  ['create-and-call', 'create-and-call'],
  ['job creation', 'create'],
])('a %s without any worker is answered 503 and leaves no record (spec 1.8, spec 4.20)', async (_, path) => {
  const team = await given.team({ credits: 5 });
  await killWorkers();
  await until(() => gateway.current.deps.workerWatch.isUnavailable());

  const answer = await as(gateway, team).post(`/api/jobs/${path}`, singleCallBody(team));

  expect([answer.status, answer.body]).toEqual([
    503,
    { detail: 'Service temporarily unavailable', code: 'unavailable' },
  ]);
  expect(expectOk(await as(gateway, team).get('/api/jobs')).total).toBe(0);
});

test('commands while the only worker is frozen are answered 503, and take effect when it continues', async () => {
  const team = await given.team({ credits: 5 });
  const worker = await givenWorker();
  const jobs = await Promise.all([1, 2, 3].map(() => given.job(team)));
  const [completed, changed, cancelled] = jobs as [string, string, string];

  worker.signal('SIGSTOP');
  const answers = await Promise.all([
    as(gateway, team).complete(completed),
    as(gateway, team).patch(`/api/jobs/${changed}/metadata`, { metadata: { a: 1 } }),
    as(gateway, team).post(`/api/jobs/${cancelled}/cancel`),
  ]);
  worker.signal('SIGCONT');

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  await until(() => !gateway.current.deps.workerWatch.isUnavailable());
  expect(expectOk(await as(gateway, team).complete(completed)).costs).toMatchObject({ credit_applied: true });
  expect(expectOk(await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`)).status).toBe('cancelled');
  await until(async () => expectOk(await as(gateway, team).get(`/api/jobs/${changed}`)).metadata.a === 1);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
}, 60_000);

test('a stream that is requested while the only worker is frozen ends with an error and leaves no job (spec 5.7)', async () => {
  const team = await given.team({ credits: 5 });
  const worker = await givenWorker();

  worker.signal('SIGSTOP');
  const answer = await as(gateway, team).singleStream();
  worker.signal('SIGCONT');

  expect(messagesOf(answer.text)).toEqual(['Service temporarily unavailable', '[DONE]']);
  expect((await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`)).status).toBe(404);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
}, 60_000);

test('a stream with an Idempotency-Key that is requested while the only worker is frozen ends with an error, and its repetition makes a new call when the worker is available again', async () => {
  const team = await given.team({ credits: 5 });
  const worker = await givenWorker();
  const send = () => as(gateway, team).singleStream({}, { 'idempotency-key': team.teamId });

  worker.signal('SIGSTOP');
  const answer = await send();
  const meanwhile = await send();
  worker.signal('SIGCONT');
  await until(() => !gateway.current.deps.workerWatch.isUnavailable());
  const again = await send();

  expect(messagesOf(answer.text)).toEqual(['Service temporarily unavailable', '[DONE]']);
  expect(meanwhile.status).toBe(503);
  expect(again.headers.get('x-call-id')).not.toBe(answer.headers.get('x-call-id'));
  expect(JSON.parse(readEvents(again.text).at(-2)!).usage).toMatchObject({ total_tokens: expect.any(Number) });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
}, 60_000);

/** The error messages of a stream without a chunk. */
const messagesOf = (text: string) =>
  readEvents(text).map((event) => (event === '[DONE]' ? event : JSON.parse(event).error?.message));
