import { randomUUID } from 'node:crypto';
import {
  type DeliveryAttempt,
  failDelivery,
  recordDeliveryAttempt,
} from '../../../src/db/webhooks/record-delivery-attempt.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { besideUncommitted } from '../../support/locks.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const query = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);

async function givenDelivery() {
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const delivery_id = randomUUID();
  await query(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body) values ($1, $2, 'job.created', '{}')`,
    [delivery_id, webhook_id],
  );
  return { team, webhook_id, delivery_id };
}

const record = (delivery_id: string, outcome: Partial<DeliveryAttempt> = {}) =>
  recordDeliveryAttempt(gateway.current.deps.database, {
    attempt_id: randomUUID(),
    delivery_id,
    started_at: new Date(),
    latency_ms: 7,
    response_excerpt: 'Not now',
    retry_after_ms: null,
    status_code: 500,
    error: 'HTTP 500',
    is_gone: false,
    is_last: false,
    ...outcome,
  });
const success = { status_code: 200, error: null };

test('an attempt that is recorded after the end of a delivery changes nothing', async () => {
  const { delivery_id } = await givenDelivery();
  await record(delivery_id, success);

  expect(await record(delivery_id)).toBeUndefined();
  await failDelivery(gateway.current.deps.database, delivery_id, 'the webhook is inactive');

  const { rows } = await query('select status, attempts from webhook_deliveries where delivery_id = $1', [delivery_id]);
  expect(rows).toEqual([{ status: 'delivered', attempts: 1 }]);
});

const attemptsOf = async (delivery_id: string) =>
  (
    await query(
      `select attempt_number, latency_ms, status_code, error, response_excerpt from webhook_delivery_attempts
        where delivery_id = $1 order by attempt_number`,
      [delivery_id],
    )
  ).rows;

test('each attempt is kept with its number, its outcome and the beginning of the answer', async () => {
  const { delivery_id } = await givenDelivery();

  await record(delivery_id);
  await record(delivery_id, { ...success, response_excerpt: 'Thanks', latency_ms: 12 });

  expect(await attemptsOf(delivery_id)).toEqual([
    { attempt_number: 1, latency_ms: 7, status_code: 500, error: 'HTTP 500', response_excerpt: 'Not now' },
    { attempt_number: 2, latency_ms: 12, status_code: 200, error: null, response_excerpt: 'Thanks' },
  ]);
});

test('an attempt that is recorded again, because its commit was not received, counts once and has the same outcome (spec 19.65)', async () => {
  const { delivery_id } = await givenDelivery();
  const attempt_id = randomUUID();

  const recorded = [await record(delivery_id, { attempt_id }), await record(delivery_id, { attempt_id })];
  await record(delivery_id, { ...success, attempt_id: randomUUID() });
  const late = await record(delivery_id, { attempt_id });

  expect(recorded[1]).toEqual(recorded[0]);
  expect(late).toMatchObject({ status: 'delivered' });
  expect((await attemptsOf(delivery_id)).map(({ status_code }) => status_code)).toEqual([500, 200]);
  const { rows } = await query('select attempts from webhook_deliveries where delivery_id = $1', [delivery_id]);
  expect(rows).toEqual([{ attempts: 2 }]);
});

test('an attempt that is recorded twice at once counts once', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  const attempt_id = randomUUID();
  const lock = { sql: 'select from webhooks where webhook_id = $1 for update', values: [webhook_id], waiting: 2 };

  const recorded = await besideUncommitted(gateway.current, lock, () =>
    Promise.all([record(delivery_id, { attempt_id }), record(delivery_id, { attempt_id })]),
  );

  expect(recorded).toEqual([recorded[0], recorded[0]]);
  expect(recorded[0]).toMatchObject({ status: 'pending' });
  expect(await attemptsOf(delivery_id)).toHaveLength(1);
  const { rows } = await query('select attempts from webhook_deliveries where delivery_id = $1', [delivery_id]);
  expect(rows).toEqual([{ attempts: 1 }]);
});

test('two different attempts that are recorded at once have a number each', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  const lock = { sql: 'select from webhooks where webhook_id = $1 for update', values: [webhook_id], waiting: 2 };

  await besideUncommitted(gateway.current, lock, () => Promise.all([record(delivery_id), record(delivery_id)]));

  expect((await attemptsOf(delivery_id)).map(({ attempt_number }) => attempt_number)).toEqual([1, 2]);
});

test('the attempts are deleted with their delivery', async () => {
  const { delivery_id } = await givenDelivery();
  await record(delivery_id);

  await query('delete from webhook_deliveries where delivery_id = $1', [delivery_id]);

  expect(await attemptsOf(delivery_id)).toEqual([]);
});

test('of two attempts that are recorded at once, one ends the delivery', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  const lock = { sql: 'select from webhooks where webhook_id = $1 for update', values: [webhook_id], waiting: 2 };

  // Both have read the delivery as pending when the webhook's row lets the first one through.
  const recorded = await besideUncommitted(gateway.current, lock, () =>
    Promise.all([record(delivery_id, success), record(delivery_id, { is_last: true })]),
  );

  const statuses = recorded.map((one) => one?.status);
  expect(statuses.filter(Boolean)).toHaveLength(1);
  const { rows } = await query('select status, attempts from webhook_deliveries where delivery_id = $1', [delivery_id]);
  expect(rows).toEqual([{ status: statuses.find(Boolean), attempts: 1 }]);
});

test('the failures of a webhook count from the first one after its last success', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  const failingSince = async () =>
    (await query('select failing_since from webhooks where webhook_id = $1', [webhook_id])).rows[0].failing_since;

  await record(delivery_id);
  const first = await failingSince();
  await record(delivery_id);
  const second = await failingSince();
  await record(delivery_id, success);

  expect(first).toBeInstanceOf(Date);
  expect([second, await failingSince()]).toEqual([first, null]);
});

test('a receiver that answers 410 receives nothing more, including this delivery', async () => {
  const { delivery_id } = await givenDelivery();

  const recorded = await record(delivery_id, { status_code: 410, is_gone: true });

  expect(recorded).toMatchObject({ status: 'exhausted', is_active: false });
});

test('a successful attempt does not switch on a webhook that was switched off meanwhile', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  await query('update webhooks set is_active = false where webhook_id = $1', [webhook_id]);

  expect(await record(delivery_id, success)).toMatchObject({ status: 'delivered', is_active: false });
});

test('a webhook that is switched on begins a new count of failures (spec 11.10)', async () => {
  const { team, webhook_id, delivery_id } = await givenDelivery();
  await query(
    `update webhooks set is_active = false, failing_since = now() - interval '6 days' where webhook_id = $1`,
    [webhook_id],
  );

  expectOk(await as(gateway, team).patch(`/api/webhooks/${webhook_id}`, { is_active: 1 }));

  expect(await record(delivery_id)).toMatchObject({ status: 'pending', is_active: true });
});

test('no attempt is recorded of a delivery that was deleted meanwhile', async () => {
  const { webhook_id, delivery_id } = await givenDelivery();
  await query('delete from webhooks where webhook_id = $1', [webhook_id]);

  expect(await record(delivery_id, success)).toBeUndefined();
});
