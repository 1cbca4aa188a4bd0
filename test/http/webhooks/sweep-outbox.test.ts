import { deleteDeliveries } from '../../../src/db/maintenance/delete-expired.ts';
import { createDeliveries } from '../../../src/temporal/commands/deliveries.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_DELIVERIES_PER_MINUTE: '60000' },
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

/** Rows as a statement leaves them whose process died before it could start anything. */
const commit = (webhookId: string, count: number, age: string) =>
  query(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, created_at)
     select gen_random_uuid(), $1, 'job.created', '{}', now() - $3::interval from generate_series(1, $2)`,
    [webhookId, count, age],
  );
const notStarted = async (webhookId: string) =>
  (await query('select 1 from webhook_deliveries where webhook_id = $1 and started_at is null', [webhookId])).rows
    .length;

test('deliveries that were committed and not started are all started by maintenance, once', async () => {
  const { receiver, webhookId } = await givenReceiver();
  await commit(webhookId, 70, '1 minute');
  await commit(webhookId, 3, '0 seconds');

  const { deliveries } = gateway.current.deps;
  expect(await deliveries.startOverdue()).toBe(73);
  expect(await notStarted(webhookId)).toBe(0);
  expect(await deliveries.startOverdue()).toBe(0);

  await until(() => receiver.requests.length >= 73);
  const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(73);
});

test('a delivery that two processes start has one workflow', async () => {
  const { receiver, webhookId } = await givenReceiver();
  await commit(webhookId, 20, '1 minute');

  const { deliveries } = gateway.current.deps;
  await Promise.all([deliveries.startOverdue(), deliveries.startOverdue(), deliveries.startOverdue()]);

  await until(async () => {
    const { rows } = await query(
      `select count(*)::int as delivered from webhook_deliveries where webhook_id = $1 and status = 'delivered'`,
      [webhookId],
    );
    return rows[0].delivered === 20;
  });
  expect(receiver.requests).toHaveLength(20);
});

test('a delivery that Temporal does not start is started by maintenance, and delays no other', async () => {
  const { team, receiver, webhookId } = await givenReceiver();
  const { deps } = gateway.current;
  const away = {
    ...deps.temporal,
    request: () => Promise.reject(new Error('Temporal is away')),
  };
  const lost = createDeliveries({ ...deps, temporal: away, delaysMs: [0], perMinute: 600 });
  await commit(webhookId, 1, '1 minute');
  const { rows } = await query('select delivery_id from webhook_deliveries where webhook_id = $1', [webhookId]);

  lost.start(team.teamId, [rows[0].delivery_id]);
  await lost.close();

  expect(await notStarted(webhookId)).toBe(1);
  await expect(lost.startOverdue()).rejects.toThrow('Temporal is away');
  await deps.deliveries.startOverdue();
  expect(await notStarted(webhookId)).toBe(0);
  await until(() => receiver.requests.length === 1);
});

test('deliveries that ended before the retention are deleted, oldest first; pending ones remain (spec 11.8)', async () => {
  const { webhookId } = await givenReceiver();
  const { database } = gateway.current.deps;
  await commit(webhookId, 4, '40 days');
  await query(
    `update webhook_deliveries set status = 'delivered', started_at = now(), finished_at = created_at
      where delivery_id in (select delivery_id from webhook_deliveries where webhook_id = $1 limit 3)`,
    [webhookId],
  );

  expect(await deleteDeliveries(database, 41, 10)).toBe(0);
  expect(await deleteDeliveries(database, 39, 2)).toBe(2);
  expect(await deleteDeliveries(database, 39, 2)).toBe(1);

  const { rows } = await query('select status from webhook_deliveries where webhook_id = $1', [webhookId]);
  expect(rows).toEqual([{ status: 'pending' }]);
});
