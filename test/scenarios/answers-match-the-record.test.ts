import { statement } from '../../src/db/sql/statement.ts';
import { readEvents } from '../support/events.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { type Gateway, gatewayForTests, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../support/given.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: WorkerProcess;
const statusSql = statement('test_call_status', 'select status from calls where call_id = :call_id');
const statusOf = async (callId: string, { deps }: Gateway = gateway.current): Promise<string | undefined> => {
  const [row] = await deps.database.query<{ status: string }>(statusSql, { call_id: callId });
  return row?.status;
};

const idOf = (answer: { headers: Headers }) => answer.headers.get('x-call-id')!;

const upstreamCalls = ({ key }: GivenTeam, { simulator }: Gateway = gateway.current) =>
  simulator.requestsFor({ key }).filter(({ path }) => path.endsWith('/chat/completions')).length;

/** Continues the worker. Resolves when it has made a later call. */
async function resumeWorker(team: GivenTeam): Promise<void> {
  worker.signal('SIGCONT');
  await until(() => !gateway.current.deps.workerWatch.isUnavailable());
  expectOk(await as(gateway, team).single());
}

const errorOf = (text: string) =>
  readEvents(text)
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event).error)
    .find(Boolean);

describe.each([
  ['without an Idempotency-Key', () => ({})],
  ['with an Idempotency-Key', () => ({ 'idempotency-key': unique('key') })],
])('%s', (_, headersOf: () => Record<string, string>) => {
  beforeEach(async () => {
    worker = await startWorkerProcess(gateway.current);
  });
  afterEach(() => worker.kill());

  test('a call and a single-call job that were answered 503 because no worker started them are not made when a worker is available again (spec 1.8, spec 4.20)', async () => {
    const team = await given.team({ credits: 5 });
    const job = await given.job(team);
    const headers = headersOf();
    worker.signal('SIGSTOP');

    const refused = await Promise.all([
      as(gateway, team).call(job, {}, headers),
      as(gateway, team).single({}, headers),
    ]);
    await resumeWorker(team);

    expect(refused.map(({ status }) => status)).toEqual([503, 503]);
    expect(await Promise.all(refused.map((one) => statusOf(idOf(one))))).toEqual([undefined, undefined]);
    expect(expectOk(await as(gateway, team).get('/api/jobs'))).toMatchObject({ total: 2 });
    expect(upstreamCalls(team)).toBe(1);
    expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
    // The request may be repeated, and then makes the call.
    const repeated = await as(gateway, team).call(job, {}, headers);
    expectOk(repeated);
    expect(idOf(repeated)).not.toBe(idOf(refused[0]!));
  }, 60_000);

  test('a stream that ended with `unavailable` because no worker started its call is not made when a worker is available again (spec 5.7, spec 5.11)', async () => {
    const team = await given.team({ credits: 5 });
    const job = await given.job(team);
    const headers = headersOf();
    worker.signal('SIGSTOP');

    const streams = await Promise.all([
      as(gateway, team).stream(job, {}, headers),
      as(gateway, team).singleStream({}, headers),
    ]);
    await resumeWorker(team);

    for (const stream of streams) {
      expect(stream.status).toBe(200);
      expect(errorOf(stream.text)).toMatchObject({ code: 'unavailable' });
      expect(await statusOf(idOf(stream))).toBeUndefined();
    }
    expect(upstreamCalls(team)).toBe(1);
    expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
    const repeated = await as(gateway, team).singleStream({}, headers);
    expect(errorOf(repeated.text)).toBeUndefined();
    expect(idOf(repeated)).not.toBe(idOf(streams[1]!));
  }, 60_000);
});

test('a stream whose job is completed before a worker begins its call has an error event with `job_finished` (spec 5.1, spec 5.11)', async () => {
  worker = await startWorkerProcess(gateway.current);
  const model = 'sim-hang-as-finishing';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);
  const completion = as(gateway, team).complete(job);
  await untilClosing(gateway, team, job);
  worker.signal('SIGSTOP');

  const streaming = await fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_group: team.modelGroup, messages: hello }),
  });
  worker.signal('SIGCONT');
  const text = await streaming.text();
  await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  await Promise.all([call, completion]);
  await worker.kill();

  expect(streaming.status).toBe(200);
  expect(errorOf(text)).toEqual({ message: 'Job is already completed', type: 'job_finished', code: 'job_finished' });
  expect(readEvents(text).at(-1)).toBe('[DONE]');
  expect(upstreamCalls(team)).toBe(1);
}, 60_000);

test('calls in flight of an api that shuts down have their connections closed, and a repeated request has the outcome (spec 5.7)', async () => {
  const own = await startGateway();
  const team = await givenIn({ current: own }).team({ credits: 5, models: ['sim-slow-8000'] });
  const client = as({ current: own }, team);
  const headers = { 'idempotency-key': unique('key') };
  const requests = [client.single({}, headers), client.singleStream({}, { 'idempotency-key': unique('key') })];
  await untilRequested({ current: own }, 'sim-slow-8000', 2);

  own.deps.callSubscriptions.shutDown();
  const outcomes = await Promise.allSettled(requests);
  const again = await startGatewayBeside(own);
  const repeated = await as({ current: again }, team).single({}, headers);

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expectOk(repeated);
  await until(
    async () => (await as({ current: again }, team).credits()).credits_remaining,
    (remaining) => remaining === 3,
  );
  expect(upstreamCalls(team, own)).toBe(2);
  await again.close();
  await own.close();
}, 60_000);

/** A second api of the same installation. */
async function startGatewayBeside({ environment }: Gateway): Promise<Gateway> {
  return startGateway({ settings: environment, worker: false });
}

test('a stream that ended with `stream_lost` while Redis was frozen is a failed call with its tokens, and its job is not charged (spec 5.6, spec 5.7, spec 5.11)', async () => {
  const redis = await startFreezingProxy(new URL(services.redisUrl));
  const own = await startGateway({ settings: { REDIS_URL: redis.url } });
  const team = await givenIn({ current: own }).team({ credits: 5, models: ['sim-tokens-100-every-150'] });
  const client = as({ current: own }, team);

  const streaming = client.singleStream();
  await until(
    () => upstreamCalls(team, own),
    (count) => count === 1,
  );
  redis.freeze();
  const stream = await streaming;
  redis.thaw();

  expect(errorOf(stream.text)).toMatchObject({ code: 'stream_lost' });
  expect(await statusOf(idOf(stream), own)).toBe('failed');
  const jobId = stream.headers.get('x-job-id')!;
  await until(
    async () => (await client.get(`/api/jobs/${jobId}`)).body.status,
    (status) => status === 'failed',
    60_000,
  );
  expect(await client.credits()).toMatchObject({ credits_remaining: 5 });
  const costs = expectOk(await client.get(`/api/jobs/${jobId}/costs`));
  expect(costs.breakdown).toMatchObject([{ error: 'the stream was lost' }]);
  expect(costs.costs.total_tokens).toBeGreaterThan(0);
  await own.close();
  await redis.close();
}, 120_000);
