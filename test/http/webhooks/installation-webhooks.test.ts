import { Webhook } from 'standardwebhooks';
import { watchAttention } from '../../../src/services/operation/watch-attention.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';
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
  settings: {
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_RETRY_DELAYS: '0ms',
    MAX_WEBHOOKS_PER_TEAM: '3',
    PUBLIC_URL: 'https://gateway.example.com/llm/',
  },
});
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const attentionEvents = ['attention.opened', 'attention.closed'];

/** Webhooks of the installation are everybody's: each test leaves none. */
afterEach(async () => {
  await closeReceivers();
  for (const { webhook_id } of expectOk(await admin.get('/api/webhooks?scope=platform')).webhooks)
    expectOk(await admin.delete(`/api/webhooks/${webhook_id}`));
});

const register = (fields: Json = {}) =>
  admin.post('/api/webhooks/register', {
    team_id: null,
    webhook_url: 'http://127.0.0.1:9/hook',
    events: attentionEvents,
    ...fields,
  });

async function givenWebhook(behave: Behaviour = answering(200)) {
  const receiver = await startReceiver(behave);
  return { receiver, ...expectOk(await register({ webhook_url: `${receiver.url}/hook` })) };
}

/** A round as maintenance makes it. */
const watch = (endsAfterMs?: number) =>
  watchAttention({ ...gateway.current.deps, dependencies: () => ({}) }, endsAfterMs);

const adjust = (teamId: string, credits_amount: number) =>
  given.admin('post', `/api/teams/${teamId}/credits/adjust`, { credits_amount, reason: 'test' });
const allocate = (teamId: string, credits_amount: number) =>
  given.admin('post', `/api/teams/${teamId}/credits/allocate`, { credits_amount });

const recorded = async (webhookId: string): Promise<Json[]> =>
  expectOk(await admin.get(`/api/webhooks/${webhookId}/deliveries`)).deliveries.map(({ payload }: Json) => payload);

/** The events about one subject, the oldest first. */
const eventsAbout = async (webhookId: string, id: string): Promise<string[]> =>
  (await recorded(webhookId))
    .filter(({ data }) => data.subject.id === id)
    .toSorted(
      (one, other) => one.timestamp.localeCompare(other.timestamp) || one.data.kind.localeCompare(other.data.kind),
    )
    .map(({ event, data }) => `${event} ${data.kind}`);

test('a webhook of the installation is registered, changed, tested and deleted by an admin, and its test is sent and signed without a team (spec 11.16)', async () => {
  const { receiver, secret, ...webhook } = await givenWebhook();
  expect(webhook).toMatchObject({ team_id: null, events: attentionEvents, is_active: 1 });
  const path = `/api/webhooks/${webhook.webhook_id}`;

  expectOk(await admin.patch(path, { events: ['attention.opened'] }));
  const { delivery_id } = expectOk(await admin.post(`${path}/test`));
  await until(() => receiver.requests.length > 0);
  await until(async () => expectOk(await admin.get(`/api/deliveries/${delivery_id}`)).status === 'delivered');
  expectOk(await admin.post(`/api/webhooks/deliveries/${delivery_id}/redeliver`));
  await until(() => receiver.requests.length > 1);

  const [{ body, headers }] = receiver.requests as [(typeof receiver.requests)[number]];
  const sent = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(sent).toMatchObject({ event: 'webhook.test', team_id: null, data: { webhook_id: webhook.webhook_id } });
  const audited = await readAudit(gateway.current, webhook.webhook_id);
  expect(audited.map(({ action }) => action).toSorted()).toEqual(['registered_webhook', 'updated_webhook']);
  expectOk(await admin.delete(path));
  expect(await admin.get(path)).toMatchObject({ status: 404 });
});

test('a team neither registers nor sees a webhook of the installation, and each is registered for events of its own (spec 11.16)', async () => {
  const team = await given.team();
  const { webhook_id } = expectOk(await register());
  const own = as(gateway, team);

  const body = { team_id: null, webhook_url: 'https://hooks.example.com/', events: attentionEvents };
  expect(await own.post('/api/webhooks/register', body)).toMatchObject({
    status: 403,
    body: { detail: 'Insufficient permissions' },
  });
  expect(await own.get(`/api/webhooks/${webhook_id}`)).toMatchObject({ status: 403 });
  expect(await own.patch(`/api/webhooks/${webhook_id}`, { is_active: 0 })).toMatchObject({ status: 403 });
  expect(expectOk(await own.get('/api/webhooks')).webhooks).toEqual([]);
  expect(expectOk(await own.get('/api/webhooks?scope=platform')).webhooks).toEqual([]);
  for (const refused of [
    await own.post('/api/webhooks/register', { ...body, team_id: team.teamId }),
    await register({ events: ['attention.opened', 'job.completed'] }),
    await admin.patch(`/api/webhooks/${webhook_id}`, { events: ['job.created'] }),
  ])
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ type: 'enum' }] } });
});

test('webhooks of the installation are listed apart from those of teams, and there are as many as a team may have (spec 11.16)', async () => {
  const team = await given.team();
  const ofTeam = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.created'] };
  const { webhook_id } = expectOk(await admin.post('/api/webhooks/register', ofTeam));

  const answers = await Promise.all([1, 2, 3, 4].map(() => register()));

  const ids = async (scope: string): Promise<string[]> =>
    expectOk(await admin.get(`/api/webhooks?scope=${scope}&limit=100`)).webhooks.map((one: Json) => one.webhook_id);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 400]);
  expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
    detail: 'The installation already has 3 webhooks, as many as MAX_WEBHOOKS_PER_TEAM allows',
  });
  expect(await ids('platform')).toHaveLength(3);
  expect(await ids('platform')).not.toContain(webhook_id);
  expect(await ids('team')).toEqual([webhook_id]);
});

test('what begins to need attention is sent once, however many workers look, and its end once it was not found for the time (spec 11.17)', async () => {
  const { receiver, webhook_id, secret } = await givenWebhook();
  const team = await given.team({ credits: 100, team_alias: 'Research' });
  // Whatever else needs attention in this installation is sent as well.
  const sentTo = ({ requests }: Receiver): Json[] =>
    requests
      .map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>) as Json)
      .filter(({ data }) => data.subject.id === team.teamId);
  await adjust(team.teamId, -91);

  await Promise.all([watch(), watch(), watch()]);
  await watch();
  await until(() => sentTo(receiver).length > 0);
  await allocate(team.teamId, 100);
  await watch();
  await Promise.all([watch(0), watch(0), watch(0)]);
  await watch(0);
  await until(() => sentTo(receiver).length > 1);

  expect(await eventsAbout(webhook_id, team.teamId)).toEqual([
    'attention.opened team_low',
    'attention.closed team_low',
  ]);
  const sent = sentTo(receiver);
  const about = {
    kind: 'team_low',
    severity: 'warning',
    subject: { type: 'team', id: team.teamId, name: 'Research', team_id: team.teamId },
    since: expect.stringMatching(/Z$/),
    link: `https://gateway.example.com/llm/console/teams/${team.teamId}?tab=credits`,
  };
  expect(sent).toMatchObject([
    {
      event: 'attention.opened',
      job_id: null,
      team_id: null,
      data: { ...about, sentence: 'Credits of Research run out. 9 of 100 credits are left.' },
    },
    {
      event: 'attention.closed',
      data: { ...about, sentence: 'No longer: Credits of Research run out.', ended_at: expect.stringMatching(/Z$/) },
    },
  ]);
  expect(sent[0]!.data.attention_id).toBe(sent[1]!.data.attention_id);
});

test('a value that swings around its limit is one event, and begins anew after its end (spec 11.17)', async () => {
  const { webhook_id } = expectOk(await register());
  const team = await given.team({ credits: 100 });
  const steps = [-91, 2, -2, 2, -2];

  for (const step of steps) {
    await adjust(team.teamId, step);
    await watch();
  }
  expect(await eventsAbout(webhook_id, team.teamId)).toEqual(['attention.opened team_low']);
  await adjust(team.teamId, 50);
  await watch();
  await watch(0);
  await adjust(team.teamId, -50);
  await watch();

  expect(await eventsAbout(webhook_id, team.teamId)).toEqual([
    'attention.opened team_low',
    'attention.closed team_low',
    'attention.opened team_low',
  ]);
});

test('few credits that are used up stay few, and both end together (spec 11.17)', async () => {
  const { webhook_id } = expectOk(await register());
  const team = await given.team({ credits: 100 });
  await adjust(team.teamId, -95);
  await watch(0);
  await adjust(team.teamId, -5);
  await watch(0);
  await watch(0);
  const before = await eventsAbout(webhook_id, team.teamId);
  await allocate(team.teamId, 100);
  await watch();
  await watch(0);

  expect(before).toEqual(['attention.opened team_low', 'attention.opened team_empty']);
  expect((await eventsAbout(webhook_id, team.teamId)).slice(2).toSorted()).toEqual([
    'attention.closed team_empty',
    'attention.closed team_low',
  ]);
});

test('a round of maintenance publishes what needs attention, to webhooks that are on and name the event (spec 11.17)', async () => {
  const { webhook_id } = expectOk(await register());
  const off = expectOk(await register());
  const others = expectOk(await register({ events: ['attention.closed'] }));
  expectOk(await admin.patch(`/api/webhooks/${off.webhook_id}`, { is_active: 0 }));
  const team = await given.team({ credits: 0 });

  await maintain(gateway.current);

  expect(await eventsAbout(webhook_id, team.teamId)).toEqual(['attention.opened team_empty']);
  expect(await eventsAbout(off.webhook_id, team.teamId)).toEqual([]);
  expect(await eventsAbout(others.webhook_id, team.teamId)).toEqual([]);
});
