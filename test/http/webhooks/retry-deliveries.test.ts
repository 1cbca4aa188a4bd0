import { Webhook } from 'standardwebhooks';
import { failDelivery } from '../../../src/db/webhooks/record-delivery-attempt.ts';
import { attemptNow } from '../../../workflows/contract/messages.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import {
  answering,
  type Behaviour,
  closeReceivers,
  type Receiver,
  startReceiver,
} from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,50ms,100ms,1h' },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

/** Behaves like each in turn, and like the last one from then on. */
const inTurn = (...behaviours: Behaviour[]): Behaviour => {
  let turn = 0;
  return (response, request) => behaviours[Math.min(turn++, behaviours.length - 1)]!(response, request);
};

interface Registered {
  team: GivenTeam;
  receiver: Receiver;
  webhook_id: string;
  secret: string;
}

async function givenWebhook(behave: Behaviour): Promise<Registered> {
  const [team, receiver] = await Promise.all([given.team(), startReceiver(behave)]);
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  return { team, receiver, ...expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)) };
}

const show = async ({ team, webhook_id }: Registered) =>
  expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}`));
const log = async ({ team, webhook_id }: Registered) =>
  expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}/deliveries`)).deliveries;
const firstDelivery = (webhook: Registered, holds: (delivery: Record<string, unknown>) => boolean) =>
  until(
    async () => (await log(webhook))[0],
    (delivery) => delivery && holds(delivery),
  );
const redeliver = ({ team }: Registered, deliveryId: string) =>
  as(gateway, team).post(`/api/webhooks/deliveries/${deliveryId}/redeliver`);
const sql = (text: string, values: unknown[]) => gateway.current.deps.database.pool.query(text, values);

test('a delivery that fails is tried again with the same id and a signature of its own time (spec 11.2, spec 11.3)', async () => {
  const webhook = await givenWebhook(inTurn(answering(500), answering(302, { location: '/x' }), answering(200)));
  await given.job(webhook.team);

  const delivery = await firstDelivery(webhook, ({ status }) => status === 'delivered');

  const { requests } = webhook.receiver;
  expect(delivery).toMatchObject({ attempts: 3, last_status_code: 200, last_error: null });
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.delivery_id]));
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  for (const { body, headers } of requests) new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
  expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(50);
  expect(requests[2]!.at - requests[1]!.at).toBeGreaterThanOrEqual(100);
});

test('a waiting delivery shows its last error in the log; when it is redelivered, the next attempt is made at once (spec 11.7, spec 11.8)', async () => {
  const webhook = await givenWebhook(inTurn(answering(500), answering(500), answering(503), answering(200)));
  await given.job(webhook.team);

  const waiting = await firstDelivery(webhook, ({ attempts }) => attempts === 3);
  expect(waiting).toMatchObject({
    status: 'pending',
    last_status_code: 503,
    last_error: 'HTTP 503',
    finished_at: null,
  });
  expectOk(await redeliver(webhook, waiting.delivery_id));

  expect(await firstDelivery(webhook, ({ status }) => status !== 'pending')).toMatchObject({
    status: 'delivered',
    attempts: 4,
  });
});

test('a delivery without further attempts is exhausted; when it is redelivered, it has its whole schedule again (spec 11.7)', async () => {
  const webhook = await givenWebhook(inTurn(...Array(6).fill(answering(500)), answering(200)));
  await given.job(webhook.team);
  const waiting = await firstDelivery(webhook, ({ attempts }) => attempts === 3);
  await redeliver(webhook, waiting.delivery_id);

  const exhausted = await firstDelivery(webhook, ({ status }) => status === 'exhausted');
  expect(exhausted).toMatchObject({ attempts: 4, last_status_code: 500, finished_at: expect.any(String) });
  const reopened = expectOk(await redeliver(webhook, waiting.delivery_id));

  expect(reopened).toMatchObject({ status: expect.stringMatching(/pending|delivered/), finished_at: null });
  const delivered = await firstDelivery(webhook, ({ status }) => status === 'delivered');
  expect(delivered).toMatchObject({ attempts: 7, delivery_id: waiting.delivery_id });
  expect(new Set(webhook.receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a delivered event can be delivered again (spec 11.7)', async () => {
  const webhook = await givenWebhook(answering(204));
  await given.job(webhook.team);
  const { delivery_id } = await firstDelivery(webhook, ({ status }) => status === 'delivered');

  expectOk(await redeliver(webhook, delivery_id));

  await until(() => webhook.receiver.requests.length === 2);
  await firstDelivery(webhook, ({ status, attempts }) => status === 'delivered' && attempts === 2);
  expect(webhook.receiver.requests[1]!.body).toBe(webhook.receiver.requests[0]!.body);
});

test('an answer of 410 switches the webhook off: no further attempt or event until it is switched on (spec 11.3)', async () => {
  const webhook = await givenWebhook(inTurn(answering(410), answering(200)));
  await given.job(webhook.team);

  const delivery = await firstDelivery(webhook, ({ status }) => status !== 'pending');
  expect(delivery).toMatchObject({ status: 'exhausted', attempts: 1, last_status_code: 410 });
  expect((await show(webhook)).is_active).toBe(0);
  await given.job(webhook.team);
  const refused = { status: 409, body: { detail: 'Webhook is inactive' } };
  expect(await redeliver(webhook, delivery.delivery_id)).toMatchObject(refused);
  expect(await as(gateway, webhook.team).post(`/api/webhooks/${webhook.webhook_id}/test`)).toMatchObject(refused);
  expect(await log(webhook)).toHaveLength(1);

  expectOk(await as(gateway, webhook.team).patch(`/api/webhooks/${webhook.webhook_id}`, { is_active: 1 }));
  expectOk(await redeliver(webhook, delivery.delivery_id));
  await firstDelivery(webhook, ({ status }) => status === 'delivered');
});

test.each([
  ['five days of nothing but failures switch it off', '5 days 1 minute', 0],
  ['less than five days do not', '4 days 23 hours', 1],
])('%s (spec 11.3)', async (_, failingFor, isActive) => {
  const webhook = await givenWebhook(answering(500));
  await sql('update webhooks set failing_since = now() - $2::interval where webhook_id = $1', [
    webhook.webhook_id,
    failingFor,
  ]);
  await given.job(webhook.team);

  await firstDelivery(webhook, ({ attempts }) => Number(attempts) >= 1);

  expect((await show(webhook)).is_active).toBe(isActive);
});

test('a success resets the count of failures of a webhook', async () => {
  const webhook = await givenWebhook(inTurn(answering(500), answering(200)));
  await given.job(webhook.team);

  await firstDelivery(webhook, ({ status }) => status === 'delivered');

  const { rows } = await sql('select failing_since from webhooks where webhook_id = $1', [webhook.webhook_id]);
  expect(rows).toEqual([{ failing_since: null }]);
});

const ends: [string, (webhook: Registered, deliveryId: string) => Promise<unknown>][] = [
  [
    'the webhook is switched off',
    ({ team, webhook_id }) => as(gateway, team).patch(`/api/webhooks/${webhook_id}`, { is_active: 0 }),
  ],
  ['it has ended in the record', (_, id) => failDelivery(gateway.current.deps.database, id, 'the test ends it')],
];

test.each(ends)('a delivery that waits for its next attempt is not sent when %s (spec 11.10)', async (_, end) => {
  const webhook = await givenWebhook(answering(500));
  await given.job(webhook.team);
  const { delivery_id } = await firstDelivery(webhook, ({ attempts }) => attempts === 3);

  await end(webhook, delivery_id);
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(`webhook-${delivery_id}`);
  await handle.signal(attemptNow);

  expect(await handle.result()).toBe('exhausted');
  expect((await log(webhook))[0]).toMatchObject({ status: 'exhausted', attempts: 3 });
  expect(webhook.receiver.requests).toHaveLength(3);
});

test('a deleted webhook ends the workflows of its deliveries', async () => {
  const webhook = await givenWebhook(answering(500));
  await given.job(webhook.team);
  const { delivery_id } = await firstDelivery(webhook, ({ attempts }) => attempts === 1);
  await sql('delete from webhooks where webhook_id = $1', [webhook.webhook_id]);

  const handle = gateway.current.deps.temporal.client.workflow.getHandle(`webhook-${delivery_id}`);

  expect(await handle.result()).toBe('gone');
});

test('a test of a webhook is delivered as the event webhook.test (spec 11.6, spec 11.7)', async () => {
  const webhook = await givenWebhook(answering(200));

  const started = expectOk(await as(gateway, webhook.team).post(`/api/webhooks/${webhook.webhook_id}/test`));

  const delivered = await firstDelivery(webhook, ({ status }) => status === 'delivered');
  expect(delivered).toMatchObject({ delivery_id: started.delivery_id, event: 'webhook.test', job_id: null });
  const [{ headers, body }] = webhook.receiver.requests as [Receiver['requests'][number]];
  expect(new Webhook(webhook.secret).verify(body, headers as Record<string, string>)).toEqual({
    event: 'webhook.test',
    job_id: '00000000-0000-0000-0000-000000000000',
    team_id: webhook.team.teamId,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { webhook_id: webhook.webhook_id },
  });
});

test('a changed URL and auth_header are used from the next attempt on', async () => {
  const webhook = await givenWebhook(answering(500));
  const moved = await startReceiver();
  await given.job(webhook.team);
  await firstDelivery(webhook, ({ attempts }) => attempts === 3);

  const changes = { webhook_url: `${moved.url}/new`, auth_header: 'Bearer new' };
  expectOk(await as(gateway, webhook.team).patch(`/api/webhooks/${webhook.webhook_id}`, changes));
  const [{ delivery_id }] = await log(webhook);
  expectOk(await redeliver(webhook, delivery_id));

  await firstDelivery(webhook, ({ status }) => status === 'delivered');
  expect(moved.requests).toMatchObject([{ path: '/new', headers: { authorization: 'Bearer new' } }]);
});

const asking = (seconds: number) => ({ 'retry-after': String(seconds) });

test.each([
  ['429', 429],
  ['503', 503],
  ['a redirect', 302],
])('after %s with Retry-After a delivery is not tried again before that time (spec 11.3)', async (_, status) => {
  const webhook = await givenWebhook(inTurn(answering(500), answering(status, asking(1)), answering(200)));
  await given.job(webhook.team);

  await firstDelivery(webhook, (delivery) => delivery.status === 'delivered');

  const [, second, third] = webhook.receiver.requests;
  expect(third!.at - second!.at).toBeGreaterThanOrEqual(1_000);
});

test('a delivery that waits because of a Retry-After shows when it is due, and is tried at once by hand (spec 11.3)', async () => {
  const webhook = await givenWebhook(inTurn(answering(500), answering(429, asking(600)), answering(200)));
  await given.job(webhook.team);
  const { delivery_id } = (await firstDelivery(webhook, ({ attempts }) => attempts === 2))!;

  const detail = expectOk(await as(gateway, webhook.team).get(`/api/deliveries/${delivery_id}`));
  expectOk(await redeliver(webhook, delivery_id as string));

  expect(await firstDelivery(webhook, ({ status }) => status === 'delivered')).toMatchObject({ attempts: 3 });
  expect(Date.parse(detail.next_attempt_at) - webhook.receiver.requests[1]!.at).toBeGreaterThan(590_000);
});
