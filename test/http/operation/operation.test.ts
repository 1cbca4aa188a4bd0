import { randomUUID } from 'node:crypto';
import { rollUpCalls } from '../../../src/db/maintenance/roll-up-calls.ts';
import { version } from '../../../src/version.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';
import { givenTeamWithJob, insertRecordedCall } from '../../support/recorded-calls.ts';
import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests({
  settings: {
    RATE_LIMIT_READS_PER_MINUTE: '10000',
    RATE_LIMIT_CALLS_PER_MINUTE: '40',
    TEMPORAL_UI_URL: 'https://temporal.example.com/',
    JOB_IDLE_TIMEOUT: '10h',
  },
});
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const get = async (path: string): Promise<Json> => expectOk(await admin.get(path));
const pool = () => gateway.current.deps.database.pool;

/** The items of what this test is about; the figures may be two seconds old. */
const itemsOf = (id: string, isDone: (items: Json[]) => boolean): Promise<Json[]> =>
  until(async () => (await get('/api/attention')).items.filter((item: Json) => item.link.id === id), isDone);

test('a team with a fixed budget needs attention below a tenth of its last allocation, and urgently at zero (spec 19.49)', async () => {
  const team = await given.team({ credits: 1 });
  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 19 }));
  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/adjust`, { credits_amount: -18, reason: 'test' }));
  const atATenth = (await get('/api/attention')).items.filter((item: Json) => item.link.id === team.teamId);

  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/adjust`, { credits_amount: -1, reason: 'test' }));
  const low = await itemsOf(team.teamId, (items) => items.length === 1);
  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/adjust`, { credits_amount: -1, reason: 'test' }));
  const empty = await itemsOf(team.teamId, ([item]) => item.kind === 'team_empty');

  expect(atATenth).toEqual([]);
  expect(low).toMatchObject([{ kind: 'team_low', severity: 'warning', detail: '1 of 20 credits are left' }]);
  expect(empty).toMatchObject([{ kind: 'team_empty', severity: 'critical', link: { type: 'team' } }]);
});

test('a team needs attention since the row of the ledger with which its credits fell below the limit (spec 19.49)', async () => {
  const team = await given.team({ credits: 100 });
  const path = `/api/teams/${team.teamId}/credits/adjust`;
  for (const credits_amount of [-50, -45, -1, -1]) expectOk(await admin.post(path, { credits_amount, reason: 'test' }));
  const rows = await pool().query('select credits_after, created_at from credit_transactions where team_id = $1', [
    team.teamId,
  ]);
  const since = (credits: number) =>
    rows.rows.find(({ credits_after }) => Number(credits_after) === credits).created_at.toISOString();

  const [low] = await itemsOf(team.teamId, (items) => items.length === 1);

  expect(low).toMatchObject({ kind: 'team_low', since: since(5) });
});

test('a team with an unlimited budget, and one that is suspended, need no attention at zero', async () => {
  const unlimited = await given.team({ credits: 0, credit_limit: null });
  const suspended = await given.team({ credits: 0 });
  expectOk(await admin.post(`/api/teams/${suspended.teamId}/suspend`));
  const empty = await given.team({ credits: 0 });

  await itemsOf(empty.teamId, (items) => items.length === 1);

  const { items } = await get('/api/attention');
  const ids = items.map((item: Json) => item.link.id);
  expect(ids).toContain(empty.teamId);
  expect(ids).not.toContain(unlimited.teamId);
  expect(ids).not.toContain(suspended.teamId);
});

test('a webhook that fails, and a job in which nothing has happened for most of its idle timeout, need attention (spec 19.49)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const busy = await given.job(team);
  expectOk(await as(gateway, team).call(busy));
  const webhook = randomUUID();
  await pool().query(
    `insert into webhooks (webhook_id, team_id, webhook_url, events, secret_sealed, failing_since)
     values ($1, $2, 'https://example.com', '{job.completed}', '', now() - interval '1 hour')`,
    [webhook, team.teamId],
  );
  await pool().query(
    `update jobs set created_at = now() - interval '9.5 hours', updated_at = now() - interval '9.5 hours' where job_id = any ($1)`,
    [[job, busy]],
  );

  const [ofJob] = await itemsOf(job, (items) => items.length === 1);
  const [ofWebhook] = await itemsOf(webhook, (items) => items.length === 1);
  const { items } = await get('/api/attention');

  expect(ofJob).toMatchObject({ kind: 'job_idle', severity: 'warning', link: { type: 'job', id: job } });
  expect(ofWebhook).toMatchObject({ kind: 'webhook_failing', link: { type: 'webhook', id: webhook } });
  expect(items.map((item: Json) => item.link.id)).not.toContain(busy);
});

test('a model needs attention when more than a twentieth of the requests to it fail, also when another model answers (spec 19.49)', async () => {
  const job = await givenTeamWithJob(pool());
  const at = { recorded_at: new Date(Date.now() - 60_000) };
  for (let call = 0; call < 3; call += 1)
    await insertRecordedCall(pool(), job, { ...at, models: ['broken', 'working'] });
  for (let call = 0; call < 57; call += 1) await insertRecordedCall(pool(), job, { ...at, models: ['working'] });
  for (let call = 0; call < 3; call += 1)
    await insertRecordedCall(pool(), job, { ...at, models: ['working'], status: 'failed' });
  await rollUpCalls(gateway.current.deps.database, () => undefined);

  const broken = await itemsOf('broken', (items) => items.length === 1);

  expect(broken).toMatchObject([
    {
      kind: 'model_errors',
      severity: 'critical',
      link: { type: 'model', id: 'broken' },
      detail: expect.stringMatching(/^3 of 3 requests failed since \d\d:00 UTC$/),
      since: null,
    },
  ]);
  expect(await itemsOf('working', () => true)).toEqual([]);
});

test('at most twenty of a kind are listed, and all of them are counted (spec 19.49)', async () => {
  const organizationId = await given.organization();
  for (let team = 0; team < 23; team += 1) await given.team({ organizationId, credits: 0 });

  const attention = await until(
    () => get('/api/attention'),
    ({ total }: Json) => total >= 23,
  );

  expect(attention.items.filter(({ kind }: Json) => kind === 'team_empty')).toHaveLength(20);
  const severities = attention.items.map(({ severity }: Json) => severity);
  expect(severities).toEqual(severities.toSorted());
});

test('live figures have the open jobs and unfinished calls of a team, and what it has used of its limits (spec 19.51)', async () => {
  const team = await given.team({ tpm_limit: 5_000, models: ['sim-hang'] });
  const job = await given.job(team);
  const calling = as(gateway, team).call(job, { max_tokens: 100 });

  const live = await until(
    () => get('/api/live'),
    ({ teams }: Json) => teams.find((one: Json) => one.team_id === team.teamId)?.running_calls === 1,
  );

  const own = live.teams.find((one: Json) => one.team_id === team.teamId);
  expect(own).toMatchObject({
    open_jobs: 1,
    running_calls: 1,
    queued_calls: 0,
    rpm_used: 1,
    rpm_limit: 40,
    tpm_limit: 5_000,
  });
  expect(own.tpm_used).toBeGreaterThan(99);
  expect(live.workers).toMatchObject([{ version }]);
  expect(live.open_jobs).toBeGreaterThanOrEqual(1);
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
  await calling;
});

const states = ({ postgres, redis, temporal, worker }: Json) =>
  [postgres, redis, temporal, worker].map(({ status }) => status);

test('the system has its dependencies, workers with their version, the steps of maintenance and links (spec 19.50)', async () => {
  await maintain(gateway.current);

  const system = await until(
    () => get('/api/system'),
    ({ maintenance, dependencies, workers }: Json) =>
      maintenance.steps.length > 0 && states(dependencies).every((state) => state === 'up') && workers[0].is_live,
  );

  expect(system).toMatchObject({
    version,
    workers: [{ version }],
    links: {
      temporal_ui: 'https://temporal.example.com/namespaces/default/workflows',
      docs: '/docs',
      metrics: '/metrics',
    },
    retention: { payload_days: 30, idempotency_hours: 24 },
  });
  const steps = system.maintenance.steps.map(({ step }: Json) => step);
  expect(steps).toContain('rollUpCalls');
  expect(steps.at(-1)).toBe('deleteExpired');
  expect(system.maintenance.cursors.map(({ name }: Json) => name)).toContain('hourly calls');
});

test('ten consoles that request the same view at once cause one statement (spec 19.52)', async () => {
  const { reports } = gateway.current.deps.database;
  const { query } = reports;
  let statements = 0;
  reports.query = (...asked) => {
    statements += 1;
    return query(...asked);
  };

  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => get(`/api/usage/margins?from=2026-01-31T0${n}:00:00Z&to=2026-01-31`)),
  ).finally(() => {
    reports.query = query;
  });

  expect(statements).toBe(1);
  expect(new Set(answers.map(({ from }) => from))).toEqual(new Set(['2026-01-31T00:00:00.000Z']));
});
