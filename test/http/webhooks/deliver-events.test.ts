import { Webhook } from 'standardwebhooks';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);

const everyEvent = ['job.created', 'job.started', 'job.completed', 'job.failed', 'job.cancelled'];
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** What an event has of a job that was given none of it. */
const noOrder = { external_task_id: null, user_id: null, metadata: {} };

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(closeReceivers);

const register = async (team: GivenTeam, events = everyEvent, fields: Record<string, unknown> = {}) =>
  expectOk(
    await as(gateway, team).post('/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url: `${receiver.url}/hook`,
      events,
      ...fields,
    }),
  );

/** Waits for so many events, and gives them by name. */
async function eventsReceived(count: number) {
  await until(() => receiver.requests.length >= count);
  return Object.fromEntries(receiver.requests.map(({ body }) => [JSON.parse(body).event, JSON.parse(body)]));
}

test('a completed job has events from its creation to its end (spec 11.5, spec 11.6, money 3.6)', async () => {
  const team = await given.team();
  await register(team);
  const order = { external_task_id: 'order-1 ✓', user_id: 'user-7', metadata: { cart: [1, 2.5, null], name: 'Zoë' } };
  const jobId = await given.job(team, order);
  await as(gateway, team).call(jobId);
  const { costs, completed_at } = expectOk(await as(gateway, team).complete(jobId));
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));

  const events = await eventsReceived(3);

  const common = { job_id: jobId, team_id: team.teamId, timestamp: isoTime };
  const seconds = (new Date(completed_at).getTime() - new Date(job.created_at).getTime()) / 1_000;
  expect(events).toEqual({
    'job.created': { event: 'job.created', ...common, data: { job_type: 'report', ...order } },
    'job.started': {
      event: 'job.started',
      ...common,
      data: { job_type: 'report', ...order, started_at: job.started_at },
    },
    'job.completed': {
      event: 'job.completed',
      ...common,
      data: {
        job_type: 'report',
        ...order,
        total_calls: 1,
        failed_calls: 0,
        total_tokens: costs.total_tokens,
        total_cost_usd: costs.total_cost_usd,
        credit_applied: true,
        credits_charged: 1,
        duration_seconds: Math.round(seconds),
      },
    },
  });
  expect(costs.total_tokens).toBeGreaterThan(0);
});

test('the events of failed and cancelled jobs have their reasons (spec 11.5)', async () => {
  const team = await given.team();
  await register(team, ['job.failed', 'job.cancelled']);
  const [failed, cancelled] = [await given.job(team), await given.job(team)];
  await as(gateway, team).complete(failed, 'failed', { error_message: 'The document was empty' });
  await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`, { reason: 'No longer needed' });

  const events = await eventsReceived(2);

  const nothing = { total_calls: 0, failed_calls: 0, total_tokens: 0, total_cost_usd: 0, credit_applied: false };
  const data = { job_type: 'report', ...noOrder, ...nothing, duration_seconds: expect.any(Number) };
  expect(events['job.failed']).toMatchObject({ job_id: failed });
  expect(events['job.failed'].data).toEqual({ ...data, error_message: 'The document was empty' });
  expect(events['job.cancelled']).toMatchObject({ job_id: cancelled });
  expect(events['job.cancelled'].data).toEqual({ ...data, reason: 'No longer needed' });
});

test('the events of jobs that are charged although they failed or were cancelled have their credits (spec 11.5, spec 21.6)', async () => {
  const team = await given.team({ billing_policy: 'answered' });
  await register(team, ['job.failed', 'job.cancelled']);
  const [failed, cancelled] = [await given.job(team), await given.job(team)];
  await as(gateway, team).call(failed);
  await as(gateway, team).complete(failed, 'failed');
  await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`);

  const events = await eventsReceived(2);

  expect(events['job.failed'].data).toMatchObject({ credit_applied: true, credits_charged: 1 });
  expect(events['job.cancelled'].data).toMatchObject({ credit_applied: false, credits_charged: 0 });
});

test('an event has metadata of up to 2,048 bytes, as they are at its moment, and null in place of longer ones (spec 11.5)', async () => {
  const team = await given.team();
  await register(team, ['job.created', 'job.cancelled']);
  const metadata = { text: '' };
  const overhead = JSON.stringify(metadata).length + 1;
  const [fitting, longer] = [2_048, 2_049].map((bytes) => ({ text: 'x'.repeat(bytes - overhead) }));
  const jobs = [await given.job(team, { metadata: fitting }), await given.job(team, { metadata: longer })];
  for (const job of jobs) {
    expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { text: job } }));
    await as(gateway, team).post(`/api/jobs/${job}/cancel`);
  }

  await until(() => receiver.requests.length >= 4);

  const sent = receiver.requests.map(({ body }) => JSON.parse(body));
  const metadataOf = (event: string, job: string | undefined) =>
    sent.find((one) => one.event === event && one.job_id === job).data.metadata;
  expect(metadataOf('job.created', jobs[0])).toEqual(fitting);
  expect(metadataOf('job.created', jobs[1])).toBeNull();
  for (const job of jobs) expect(metadataOf('job.cancelled', job)).toEqual({ text: job });
});

test('the reason in an event is null if none was given', async () => {
  const team = await given.team();
  await register(team, ['job.failed', 'job.cancelled']);
  const [failed, cancelled] = [await given.job(team), await given.job(team)];
  await as(gateway, team).complete(failed, 'failed');
  await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`);

  const events = await eventsReceived(2);

  expect(events['job.failed'].data.error_message).toBeNull();
  expect(events['job.cancelled'].data.reason).toBeNull();
});

test('a single-call job has the same events as other jobs', async () => {
  const team = await given.team({ models: ['sim-ok'] });
  await register(team);
  const answer = expectOk(await as(gateway, team).single({ job_type: 'summary' }));

  const events = await eventsReceived(3);

  expect(Object.keys(events).sort()).toEqual(['job.completed', 'job.created', 'job.started']);
  expect(events['job.created'].data).toEqual({ job_type: 'summary', ...noOrder });
  expect(events['job.completed']).toMatchObject({ job_id: answer.job_id, data: { credit_applied: true } });
});

test('each delivery is signed and has the auth_header', async () => {
  const team = await given.team();
  const { secret } = await register(team, ['job.created'], { auth_header: "Bearer somebody else's" });
  await given.job(team);

  await eventsReceived(1);

  const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[number]];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ event: 'job.created' });
  expect(headers.authorization).toBe("Bearer somebody else's");
  expect(headers['content-type']).toBe('application/json');
});

test('a webhook receives only the events it is registered for, only of its team, only while it is active (spec 11.10)', async () => {
  const [team, other] = await Promise.all([given.team(), given.team()]);
  await register(team, ['job.cancelled']);
  const silent = await register(team, ['job.created']);
  await as(gateway, team).patch(`/api/webhooks/${silent.webhook_id}`, { is_active: 0 });
  const jobs = [await given.job(team), await given.job(other)];
  await as(gateway, other).post(`/api/jobs/${jobs[1]}/cancel`);
  await as(gateway, team).post(`/api/jobs/${jobs[0]}/cancel`);

  await eventsReceived(1);

  expect(receiver.requests.map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: 'job.cancelled', job_id: jobs[0] },
  ]);
  const { rows } = await gateway.current.deps.database.pool.query(
    'select 1 from webhook_deliveries where job_id = $1',
    [jobs[1]],
  );
  expect(rows).toEqual([]);
});

test('each webhook of a team receives an event, under an id of its own that the delivery log shows (spec 11.8)', async () => {
  const team = await given.team();
  const webhooks = [await register(team, ['job.created']), await register(team, ['job.created'])];
  const jobId = await given.job(team);

  await eventsReceived(2);

  const logs = await Promise.all(
    webhooks.map(async ({ webhook_id }) =>
      until(
        async () => expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}/deliveries`)),
        (log) => log.deliveries[0]?.status === 'delivered',
      ),
    ),
  );
  const sentIds = receiver.requests.map(({ headers }) => headers['webhook-id']).sort();
  expect(logs.map((log) => log.deliveries[0].delivery_id).sort()).toEqual(sentIds);
  expect(new Set(sentIds).size).toBe(2);
  const { delivery_id } = logs[0]!.deliveries[0];
  expect(logs[0]).toEqual({
    webhook_id: webhooks[0]!.webhook_id,
    total: 1,
    deliveries: [
      {
        delivery_id,
        webhook_id: webhooks[0]!.webhook_id,
        event: 'job.created',
        job_id: jobId,
        status: 'delivered',
        attempts: 1,
        last_status_code: 200,
        last_error: null,
        last_error_code: null,
        created_at: isoTime,
        finished_at: isoTime,
        payload: JSON.parse(receiver.requests.find(({ headers }) => headers['webhook-id'] === delivery_id)!.body),
      },
    ],
  });
  const shown = expectOk(await as(gateway, team).get(`/api/webhooks/${webhooks[0]!.webhook_id}`));
  expect(shown.last_triggered_at).toEqual(isoTime);
});

test('the history of the workflow of a delivery has the id and the schedule, and no part of the event', async () => {
  const team = await given.team();
  const { secret } = await register(team, ['job.created'], { auth_header: 'Bearer canary' });
  await given.job(team, { job_type: 'canary-job-type' });
  await eventsReceived(1);
  const deliveryId = receiver.requests[0]!.headers['webhook-id'] as string;
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(`webhook-${deliveryId}`);

  const end = await handle.result();
  // Payloads are base64 in it, which would hide anything.
  const history = JSON.stringify(await handle.fetchHistory(), (key, value) =>
    key === 'data' ? Buffer.from(value, 'base64').toString() : value,
  );

  expect(end).toBe('delivered');
  expect(history).toContain(`"delivery_id":"${deliveryId}","delays_ms":[0,5000,300000`.replaceAll('"', '\\"'));
  for (const secretText of [secret, 'Bearer canary', 'canary-job-type', receiver.url]) {
    expect(history).not.toContain(secretText);
  }
});
