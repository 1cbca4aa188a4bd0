import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../support/given.ts';
import type { Answer } from '../support/send-request.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

async function gatewayBehindProxies() {
  const closing = new AsyncDisposableStack();
  const temporal = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
  const redis = await startFreezingProxy(new URL(services.redisUrl));
  const settings = { TEMPORAL_ADDRESS: new URL(temporal.url).host, REDIS_URL: redis.url };
  const current = await startGateway({ settings });
  closing.defer(() => current.close());
  closing.defer(() => redis.close());
  closing.defer(() => temporal.close());
  return { temporal, redis, current, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

test('requests that need Temporal while it is frozen are answered 503 and not charged, and reads are answered (spec 1.8)', async () => {
  await using gateway = await gatewayBehindProxies();
  const team = await givenIn(gateway).team({ credits: 5 });
  const job = await givenIn(gateway).job(team);

  gateway.temporal.freeze();
  const answers = await Promise.all([
    as(gateway, team).call(job),
    as(gateway, team).stream(job),
    as(gateway, team).complete(job),
    as(gateway, team).single(),
    as(gateway, team).singleStream(),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('pending');
  expect(expectOk(await as(gateway, team).get('/api/jobs')).total).toBe(1);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
}, 60_000);

/** The requests that make a job, each under a key of its own. */
const makingJobs: Record<
  string,
  (client: ReturnType<typeof as>, team: GivenTeam, headers: Headers) => Promise<Answer>
> = {
  'create-and-call': (client, _, headers) => client.single({}, headers),
  'create-and-call-stream': (client, _, headers) => client.singleStream({}, headers),
  'jobs/create': (client, { teamId }, headers) =>
    client.post('/api/jobs/create', { team_id: teamId, job_type: 'report' }, headers),
  'chat completions': (client, team, headers) => client.post('/v1/chat/completions', chat(team), headers),
  'streamed chat completions': (client, team, headers) =>
    client.post('/v1/chat/completions', { ...chat(team), stream: true }, headers),
  'chat completions of a task': (client, team, headers) =>
    client.post('/v1/chat/completions', chat(team), { ...headers, 'x-external-task-id': 'task-1' }),
};
type Headers = Record<string, string>;
const chat = ({ modelGroup }: GivenTeam) => ({ model: modelGroup, messages: hello });

test('requests that were answered 503 while Temporal was frozen leave no job in any list, and repeated with their Idempotency-Key make one job each (spec 5.7, spec 10.6)', async () => {
  await using gateway = await gatewayBehindProxies();
  const kinds = await Promise.all(
    Object.values(makingJobs).map(async (make) => {
      const team = await givenIn(gateway).team({ credits: 5 });
      const client = as(gateway, team);
      await client.post('/api/webhooks/register', {
        team_id: team.teamId,
        webhook_url: 'https://example.com/hook',
        events: ['job.created'],
      });
      const headers = { 'idempotency-key': unique('key') };
      return { client, team, repeat: () => make(client, team, headers) };
    }),
  );
  const jobsOf = async () =>
    Promise.all(kinds.map(async ({ client }) => expectOk(await client.get('/api/jobs')).total));

  gateway.temporal.freeze();
  const refused = await Promise.all(kinds.map(({ repeat }) => repeat()));
  const jobsBetween = await jobsOf();
  const deliveriesBetween = await deliveries(gateway);
  gateway.temporal.thaw();
  await until(async () => kinds[0] && (await as(gateway, kinds[0].team).single()).status === 200);
  const repeated = await Promise.all(kinds.map(({ repeat }) => repeat()));

  expect(refused.map(({ status }) => status)).toEqual(kinds.map(() => 503));
  expect(jobsBetween).toEqual(kinds.map(() => 0));
  expect(deliveriesBetween).toBe(0);
  expect(repeated.map(({ status }) => status)).toEqual(kinds.map(() => 200));
  expect(await jobsOf()).toEqual(kinds.map((_, index) => (index === 0 ? 2 : 1)));
  const usage = await Promise.all(
    kinds.map(({ client, team }) => client.get(`/api/teams/${team.teamId}/usage?period=${month()}`)),
  );
  expect(usage.map((answer) => expectOk(answer).summary.failed_jobs)).toEqual(kinds.map(() => 0));
}, 60_000);

const month = () => new Date().toISOString().slice(0, 7);

async function deliveries({ current }: { current: Gateway }): Promise<number> {
  const { rows } = await current.deps.database.pool.query('select from webhook_deliveries');
  return rows.length;
}

test('a single-call job that ends while Temporal and Redis are frozen is answered from its record', async () => {
  await using gateway = await gatewayBehindProxies();
  const model = 'sim-slow-1000-as-both-frozen';
  const team = await givenIn(gateway).team({ credits: 5, models: [model] });

  const answering = as(gateway, team).single();
  await untilRequested(gateway, model);
  gateway.temporal.freeze();
  gateway.redis.freeze();

  expect(expectOk(await answering)).toMatchObject({ status: 'completed', costs: { credits_remaining: 4 } });
}, 60_000);
