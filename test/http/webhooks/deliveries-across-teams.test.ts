import { Webhook } from 'standardwebhooks';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import {
  answering,
  type Behaviour,
  closeReceivers,
  type Receiver,
  startReceiver,
} from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,50ms' },
});
const given = givenIn(gateway);
const admin = asAdmin(gateway);

afterEach(closeReceivers);

interface Registered {
  team: GivenTeam;
  receiver: Receiver;
  webhook_id: string;
  secret: string;
}

async function givenWebhook(behave: Behaviour, team?: GivenTeam): Promise<Registered> {
  const [owner, receiver] = await Promise.all([team ?? given.team(), startReceiver(behave)]);
  const webhook = { team_id: owner.teamId, webhook_url: receiver.url, events: ['job.created'] };
  return { team: owner, receiver, ...expectOk(await as(gateway, owner).post('/api/webhooks/register', webhook)) };
}

const list = async (query: string) => expectOk(await admin.get(`/api/deliveries?${query}`));
const ended = (query: string, count: number) =>
  until(
    () => list(query),
    ({ deliveries }) =>
      deliveries.length === count && deliveries.every(({ status }: { status: string }) => status !== 'pending'),
  );
const read = async (deliveryId: string) => expectOk(await admin.get(`/api/deliveries/${deliveryId}`));
const jobsOf = ({ deliveries }: Json) => deliveries.map(({ job_id }: { job_id: string }) => job_id);

/** The second receiver of the same team refuses everything. */
async function givenTwoTeams() {
  const failing = await givenWebhook(answering(500));
  const other = await givenWebhook(answering(200), failing.team);
  const apart = await givenWebhook(answering(200));
  const jobs = [await given.job(failing.team), await given.job(failing.team)];
  const jobApart = await given.job(apart.team);
  await ended(`team_id=${failing.team.teamId}`, 4);
  await ended(`team_id=${apart.team.teamId}`, 1);
  return { failing, other, apart, jobs, jobApart };
}

test('deliveries are listed across the webhooks of a team, newest first, by status, job and webhook (spec 19.64)', async () => {
  const { failing, other, apart, jobs, jobApart } = await givenTwoTeams();
  const ofTeam = `team_id=${failing.team.teamId}`;

  const all = await list(ofTeam);
  expect(all).toMatchObject({ total: 4, by_status: { pending: 0, delivered: 2, exhausted: 2 }, next_cursor: null });
  expect(jobsOf(all)).toEqual([jobs[1], jobs[1], jobs[0], jobs[0]]);
  expect(all.deliveries[0]).toMatchObject({ team_id: failing.team.teamId, event: 'job.created' });
  expect(jobsOf(await list(`${ofTeam}&status=exhausted`))).toEqual([jobs[1], jobs[0]]);
  expect(jobsOf(await list(`webhook_id=${other.webhook_id}&limit=1`))).toEqual([jobs[1]]);
  expect((await list(`job_id=${jobs[0]}`)).total).toBe(2);
  expect((await list(`${ofTeam}&to=2020-01-01`)).total).toBe(0);
  expect(jobsOf(await list('limit=5'))).toContain(jobApart);

  const own = as(gateway, apart.team);
  expect(jobsOf(expectOk(await own.get('/api/deliveries')))).toEqual([jobApart]);
  expect(jobsOf(expectOk(await own.get(`/api/deliveries?webhook_id=${other.webhook_id}`)))).toEqual([]);
  expect((await own.get(`/api/deliveries?${ofTeam}`)).status).toBe(403);
});

test.each(['', '&status=exhausted'])(
  'pages by cursor of the deliveries of a team hold each of them once%s',
  async (filter) => {
    const { failing } = await givenTwoTeams();
    const query = `team_id=${failing.team.teamId}${filter}`;
    const whole = (await list(query)).deliveries;

    const seen: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Json = await list(`${query}&limit=1&count=none&cursor=${cursor}`);
      seen.push(...page.deliveries);
      cursor = page.next_cursor;
    }

    expect(seen).toEqual(whole);
  },
);

test('a delivery has each of its attempts, newest first, and the headers that the last one was signed with (spec 19.65)', async () => {
  const webhook = await givenWebhook((response) => void response.writeHead(503).end('Out of order'));
  await given.job(webhook.team);
  const { deliveries } = await ended(`webhook_id=${webhook.webhook_id}`, 1);

  const delivery = await read(deliveries[0].delivery_id);

  expect(delivery).toMatchObject({ ...deliveries[0], webhook_url: webhook.receiver.url, next_attempt_at: null });
  expect(delivery.attempts_log).toMatchObject(
    [2, 1].map((attempt_number) => ({
      attempt_number,
      latency_ms: expect.any(Number),
      status_code: 503,
      error: 'HTTP 503',
      response_excerpt: 'Out of order',
    })),
  );
  const { body, headers } = webhook.receiver.requests[1]!;
  expect(headers).toMatchObject(delivery.signature_headers);
  expect(new Webhook(webhook.secret).verify(body, delivery.signature_headers)).toEqual(delivery.payload);
});

test('an attempt without an answer has no status and no excerpt', async () => {
  const webhook = await givenWebhook((response) => void response.socket!.destroy());
  await given.job(webhook.team);
  const { deliveries } = await ended(`webhook_id=${webhook.webhook_id}`, 1);

  const { attempts_log } = await read(deliveries[0].delivery_id);

  expect(attempts_log[0]).toMatchObject({ status_code: null, error: expect.any(String), response_excerpt: null });
});

test("another team's delivery is refused, an unknown one is not found (spec 2.10, spec 19.64)", async () => {
  const webhook = await givenWebhook(answering(200));
  const stranger = await given.team();
  await given.job(webhook.team);
  const { deliveries } = await ended(`webhook_id=${webhook.webhook_id}`, 1);
  const readBy = (team: GivenTeam, id: string) => as(gateway, team).get(`/api/deliveries/${id}`);

  expect((await readBy(webhook.team, deliveries[0].delivery_id)).status).toBe(200);
  expect((await readBy(stranger, deliveries[0].delivery_id)).status).toBe(403);
  expect((await readBy(stranger, webhook.webhook_id)).status).toBe(404);
});

test('deliveries that have failed since a time are made again with their whole schedule, once (spec 19.69)', async () => {
  let status = 500;
  const webhook = await givenWebhook((response, request) => answering(status)(response, request));
  const jobs = [await given.job(webhook.team), await given.job(webhook.team)];
  const failed = await ended(`webhook_id=${webhook.webhook_id}`, 2);
  const redeliver = (since: string) =>
    as(gateway, webhook.team).post(`/api/webhooks/${webhook.webhook_id}/redeliver-failed`, { since });
  status = 200;

  const none = expectOk(await redeliver('2999-01-01'));
  const [first, second] = await Promise.all([redeliver(failed.deliveries[1].created_at), redeliver('2020-01-01')]);

  expect(none).toEqual({ redelivered: 0, remaining: 0 });
  expect(expectOk(first).redelivered + expectOk(second).redelivered).toBe(2);
  const delivered = await until(
    () => list(`webhook_id=${webhook.webhook_id}`),
    ({ by_status }) => by_status.delivered === 2,
  );
  expect(jobsOf(delivered)).toEqual(jobs.toReversed());
  expect(webhook.receiver.requests).toHaveLength(6);
  const { attempts_log } = await read(delivered.deliveries[0].delivery_id);
  expect(attempts_log.map(({ attempt_number }: Json) => attempt_number)).toEqual([3, 2, 1]);
  const entries = await readAudit(gateway.current, webhook.webhook_id);
  expect(entries.filter(({ action }: Json) => action === 'redelivered_webhook').length).toBeGreaterThanOrEqual(1);
});

test('a redelivery of the failed deliveries of a webhook that is off is a 409 (spec 19.69)', async () => {
  const webhook = await givenWebhook(answering(200));
  const own = as(gateway, webhook.team);
  expectOk(await own.patch(`/api/webhooks/${webhook.webhook_id}`, { is_active: 0 }));

  expect((await own.post(`/api/webhooks/${webhook.webhook_id}/redeliver-failed`, { since: '2020-01-01' })).status).toBe(
    409,
  );
});

test('webhooks of all teams are listed for an admin, failing webhooks first (spec 19.63)', async () => {
  const { failing, other, apart } = await givenTwoTeams();

  const { webhooks, total, failing: count, inactive } = expectOk(await admin.get('/api/webhooks'));

  const ids = webhooks.map(({ webhook_id }: Json) => webhook_id);
  expect(ids).toEqual(expect.arrayContaining([failing.webhook_id, other.webhook_id, apart.webhook_id]));
  expect(total).toBe(webhooks.length);
  const since = webhooks.map(({ failing_since }: Json) => failing_since);
  expect(since.indexOf(null)).toBe(count);
  expect(since.slice(count).every((one: unknown) => one === null)).toBe(true);
  expect(inactive).toBe(webhooks.filter(({ is_active }: Json) => is_active === 0).length);
  const shown = expectOk(await admin.get(`/api/webhooks/${failing.webhook_id}?include=failures`));
  expect(webhooks.find(({ webhook_id }: Json) => webhook_id === failing.webhook_id)).toEqual(shown);
  expect(shown).toMatchObject({ failing_since: expect.any(String), last_status_code: 500 });
});

test('by default the list of the webhooks of one team has no figures of failures, and a virtual key need not name its team (spec 19.63)', async () => {
  const { failing, other } = await givenTwoTeams();
  const own = as(gateway, failing.team);

  const named = expectOk(await own.get(`/api/webhooks?team_id=${failing.team.teamId}`));

  expect(Object.keys(named)).toEqual(['team_id', 'total', 'webhooks']);
  expect(named.webhooks.map(({ webhook_id }: Json) => webhook_id)).toEqual([failing.webhook_id, other.webhook_id]);
  expect(Object.keys(named.webhooks[0]).sort()).toEqual(
    [
      'auth_header',
      'created_at',
      'events',
      'is_active',
      'last_triggered_at',
      'team_id',
      'webhook_id',
      'webhook_url',
    ].sort(),
  );
  expect(expectOk(await own.get('/api/webhooks'))).toEqual(named);
  const page = expectOk(await own.get('/api/webhooks?order=failing&limit=1&cursor='));
  expect(page).toMatchObject({ failing: 1, webhooks: [{ webhook_id: failing.webhook_id }] });
  const next = expectOk(await own.get(`/api/webhooks?order=failing&limit=1&cursor=${page.next_cursor}`));
  expect(next).toMatchObject({ webhooks: [{ webhook_id: other.webhook_id }], next_cursor: null });
  expect((await own.get(`/api/webhooks?order=oldest&cursor=${page.next_cursor}`)).status).toBe(422);
});
