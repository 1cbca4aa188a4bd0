import { limitBacklogs } from '../../../src/db/webhooks/limit-backlogs.ts';
import { takeDeliveries } from '../../../src/db/webhooks/take-deliveries.ts';
import { deliveryPace } from '../../../src/temporal/commands/deliveries.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_DELIVERIES_PER_MINUTE: '60' },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

const query = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);

async function givenReceiver() {
  const [team, receiver] = await Promise.all([given.team(), startReceiver()]);
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  return { team, receiver, webhookId: webhook_id as string };
}

/** `attempts`: of deliveries that were started. */
const commit = (webhookId: string, count: number, { started = false, attempts = 0 } = {}) =>
  query(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, created_at, started_at, attempts)
     select gen_random_uuid(), $1, 'job.created', '{}', now() - interval '1 minute', case when $3 then now() end, $4
       from generate_series(1, $2)`,
    [webhookId, count, started, attempts],
  );
const startedOf = async (webhookId: string): Promise<number> => {
  const { rows } = await query(
    'select count(*)::int as started from webhook_deliveries where webhook_id = $1 and started_at is not null',
    [webhookId],
  );
  return rows[0].started;
};
const take = async (team: GivenTeam, pace = deliveryPace(60)) => {
  const [taken] = await takeDeliveries(gateway.current.deps.database, [team.teamId], pace);
  return { taken: taken!.deliveries.length, hasMore: taken!.has_more };
};
/** Without the tokens that time adds. */
const still = { ...deliveryPace(60), per_second: 0 };

test('a backlog of one team is started at its pace, and delays no other team (spec 11.13)', async () => {
  const [busy, quiet] = await Promise.all([givenReceiver(), givenReceiver()]);
  await commit(busy.webhookId, 500);
  await commit(quiet.webhookId, 2);

  await gateway.current.deps.deliveries.startOverdue();
  await until(() => quiet.receiver.requests.length === 2);
  const atOnce = await startedOf(busy.webhookId);
  // This process goes on with the backlog that it knows of.
  await until(async () => (await startedOf(busy.webhookId)) >= 5);

  expect(atOnce).toBeLessThanOrEqual(4);
  expect(await startedOf(busy.webhookId)).toBeLessThan(60);
});

test('processes that take deliveries of one team at once take each of them once, within one pace (spec 11.13)', async () => {
  const { team, webhookId } = await givenReceiver();
  await commit(webhookId, 20);
  await take(team, { ...still, burst: 0.5 });
  await query('update delivery_paces set available = 6 where team_id = $1', [team.teamId]);

  const all = await Promise.all(Array.from({ length: 8 }, () => take(team, { ...still, burst: 6 })));

  expect(all.reduce((sum, { taken }) => sum + taken, 0)).toBe(6);
  expect(await startedOf(webhookId)).toBe(6);
});

test('a team whose deliveries wait for their first attempt gets no more, and one whose deliveries wait for a later attempt does (spec 11.13)', async () => {
  const [hanging, failed] = await Promise.all([givenReceiver(), givenReceiver()]);
  await commit(hanging.webhookId, 200, { started: true });
  await commit(failed.webhookId, 200, { started: true, attempts: 1 });
  for (const { webhookId } of [hanging, failed]) await commit(webhookId, 3);

  expect((await take(hanging.team, { ...still, burst: 10 })).taken).toBe(0);
  expect((await take(failed.team, { ...still, burst: 10 })).taken).toBe(3);
});

test('a receiver that fails gets one delivery a minute once 1,000 of it wait, and delays no other receiver of its team (spec 11.13)', async () => {
  const { team, receiver, webhookId } = await givenReceiver();
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const other = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)).webhook_id;
  await query('update webhooks set failing_since = now() where webhook_id = $1', [webhookId]);
  await commit(webhookId, 1_000, { started: true, attempts: 1 });
  await commit(webhookId, 5);
  await commit(other, 2);
  const pace = { ...still, burst: 100 };

  expect((await take(team, pace)).taken).toBe(2);
  expect(await startedOf(webhookId)).toBe(1_000);

  await query(
    `update webhook_deliveries set started_at = now() - interval '2 minutes' where webhook_id = $1 and started_at is not null`,
    [webhookId],
  );
  expect((await take(team, pace)).taken).toBe(1);
  expect((await take(team, pace)).taken).toBe(0);
});

test('a webhook with too many waiting events gets no further ones until it has caught up (spec 11.13)', async () => {
  const { team, webhookId } = await givenReceiver();
  const { database } = gateway.current.deps;
  const create = async () =>
    expectOk(
      await as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', user_id: 'user' }),
    ).job_id;
  const eventsOf = async (jobId: string) =>
    (await query('select 1 from webhook_deliveries where job_id = $1', [jobId])).rowCount;
  await commit(webhookId, 21);

  expect(await limitBacklogs(database, 20)).toContainEqual({
    webhook_id: webhookId,
    team_id: team.teamId,
    skips_events: true,
  });
  const skipped = await create();
  await query('delete from webhook_deliveries where webhook_id = $1', [webhookId]);
  await commit(webhookId, 10);
  expect(await limitBacklogs(database, 20)).toContainEqual({
    webhook_id: webhookId,
    team_id: team.teamId,
    skips_events: false,
  });
  const recorded = await create();

  expect([await eventsOf(skipped), await eventsOf(recorded)]).toEqual([0, 1]);
});
