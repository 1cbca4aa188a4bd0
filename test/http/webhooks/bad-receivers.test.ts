import type { Socket } from 'node:net';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import {
  answering,
  type Behaviour,
  closeReceivers,
  hanging,
  type Receiver,
  resetting,
  startReceiver,
} from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: Array(8).fill('1ms').join() },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

const query = (text: string, values: unknown[]) => gateway.current.deps.database.pool.query(text, values);

async function register(team: GivenTeam, { url }: Receiver): Promise<string> {
  const webhook = { team_id: team.teamId, webhook_url: url, events: ['job.created'] };
  return expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)).webhook_id;
}

async function givenWebhook(behave: Behaviour) {
  const [team, receiver] = await Promise.all([given.team(), startReceiver(behave)]);
  return { team, receiver, webhookId: await register(team, receiver) };
}

/** So many events at once, as a busy team has them. */
async function occur(webhookId: string, count: number): Promise<string[]> {
  const { rows } = await query(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, created_at)
     select gen_random_uuid(), $1, 'job.created', json_build_object('event', 'job.created', 'number', n)::text,
            now() - interval '1 minute'
       from generate_series(1, $2::int) n returning delivery_id`,
    [webhookId, count],
  );
  return rows.map(({ delivery_id }) => delivery_id);
}

const counts = async (webhookId: string): Promise<Record<string, number>> => {
  const { rows } = await query(
    'select status, count(*)::int as number from webhook_deliveries where webhook_id = $1 group by status',
    [webhookId],
  );
  return Object.fromEntries(rows.map(({ status, number }) => [status, number]));
};

test('every event reaches a receiver that fails three times in ten, each with one id', async () => {
  let turn = 0;
  const failures = [answering(500), resetting, answering(302, { location: '/elsewhere' })];
  // Three of each ten, in an order that hits every event differently.
  const flaky: Behaviour = (response, request) => {
    const index = (turn++ * 7) % 10;
    (failures[index] ?? answering(200))(response, request);
  };
  const { receiver, webhookId } = await givenWebhook(flaky);
  const ids = await occur(webhookId, 40);

  await gateway.current.deps.deliveries.startOverdue();

  await until(
    () => counts(webhookId),
    ({ delivered = 0, exhausted = 0 }) => delivered + exhausted === 40,
    40_000,
  );
  expect(await counts(webhookId)).toEqual({ delivered: 40 });
  const received = Map.groupBy(receiver.requests, ({ headers }) => headers['webhook-id']);
  expect([...received.keys()].sort()).toEqual([...ids].sort());
  for (const attempts of received.values()) expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
  expect(receiver.requests.length).toBeGreaterThan(40);
});

test('a receiver that hangs delays no other receiver, and holds a bounded number of connections', async () => {
  const [dead, living] = await Promise.all([givenWebhook(hanging), givenWebhook(answering(200))]);
  await occur(dead.webhookId, 200);
  await gateway.current.deps.deliveries.startOverdue();
  await until(() => dead.receiver.connections > 0);
  await expectTenToArrive(living.webhookId);

  expect(await counts(dead.webhookId)).toEqual({ pending: 200 });
  expect(dead.receiver.mostAtOnce).toBeLessThanOrEqual(25);
  await query('delete from webhooks where webhook_id = $1', [dead.webhookId]);
});

test('a team whose receivers all hang delays no other team', async () => {
  const [dead, living] = await Promise.all([givenWebhook(hanging), givenWebhook(answering(200))]);
  const others = [await register(dead.team, dead.receiver), await register(dead.team, dead.receiver)];
  for (const webhookId of [dead.webhookId, ...others]) await occur(webhookId, 50);
  await gateway.current.deps.deliveries.startOverdue();
  await until(() => dead.receiver.connections >= 30, Boolean, 60_000);
  await expectTenToArrive(living.webhookId);

  expect(dead.receiver.mostAtOnce).toBeLessThanOrEqual(30);
  await query('delete from webhooks where team_id = $1', [dead.team.teamId]);
}, 120_000);

test('endless and large answers of receivers count by their status, and are not buffered', async () => {
  const endless: Behaviour = (response) => {
    const socket = response.socket as Socket;
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, 'x');
    const pour = () => {
      while (!socket.destroyed && response.write(chunk));
      if (!socket.destroyed) response.once('drain', pour);
    };
    pour();
  };
  const { receiver, webhookId } = await givenWebhook(endless);
  await occur(webhookId, 20);
  const before = process.memoryUsage().rss;

  await gateway.current.deps.deliveries.startOverdue();
  await until(
    () => counts(webhookId),
    ({ delivered }) => delivered === 20,
  );

  expect(receiver.requests).toHaveLength(20);
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1_048_576);
});

async function expectTenToArrive(webhookId: string): Promise<void> {
  await occur(webhookId, 10);
  await gateway.current.deps.deliveries.startOverdue();
  await until(
    () => counts(webhookId),
    ({ delivered }) => delivered === 10,
    30_000,
  );
}
