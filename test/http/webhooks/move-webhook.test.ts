import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { until } from '../../support/until.ts';
import { answering, closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,1h,1h' },
});
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const authHeader = 'Bearer secret-of-the-receiver';
let team: GivenTeam;
beforeAll(async () => {
  team = await given.team();
});
afterEach(closeReceivers);

const register = async (webhook_url: string) =>
  expectOk(
    await as(gateway, team).post('/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url,
      events: ['job.failed'],
      auth_header: authHeader,
    }),
  ).webhook_id as string;

const change = async (webhookId: string, fields: object) =>
  expectOk(await admin.patch(`/api/webhooks/${webhookId}`, fields));
const stars = '********';

test.each([
  ['another host', 'https://other.example/jobs'],
  ['another port', 'https://hooks.example:8443/jobs'],
  ['another scheme', 'http://hooks.example/jobs'],
])('a webhook_url with %s removes the auth_header permanently (spec 11.5)', async (_, moved) => {
  const webhookId = await register('https://hooks.example/jobs');

  const changed = await change(webhookId, { webhook_url: moved });

  expect(changed).toMatchObject({ webhook_url: moved, auth_header: null });
  expect(await change(webhookId, { webhook_url: 'https://hooks.example/jobs' })).toMatchObject({ auth_header: null });
});

test('a change of the origin with stars as the auth_header removes the auth_header, and one with a new auth_header stores the new one (spec 11.5)', async () => {
  const [starred, renewed] = [await register('https://hooks.example/'), await register('https://hooks.example/')];
  const webhook_url = 'https://other.example/';

  expect(await change(starred, { webhook_url, auth_header: stars })).toMatchObject({ auth_header: null });
  expect(await change(renewed, { webhook_url, auth_header: 'Bearer new' })).toMatchObject({ auth_header: stars });
});

test.each([
  ['another path', 'https://hooks.example/others?x=1'],
  ['the default port and capitals', 'HTTPS://Hooks.Example:443/jobs'],
])('a webhook_url of the same origin with %s keeps the auth_header', async (_, webhook_url) => {
  const webhookId = await register('https://hooks.example/jobs');

  expect(await change(webhookId, { webhook_url })).toMatchObject({ webhook_url, auth_header: stars });
});

test('the audit log has the change of the receiver, and neither URL nor auth_header', async () => {
  const webhookId = await register('https://hooks.example/jobs');

  await change(webhookId, { webhook_url: 'https://other.example/?token=t0p' });

  const [entry] = await readAudit(gateway.current, webhookId);
  expect(entry).toMatchObject({
    action: 'updated_webhook',
    details: { fields: ['webhook_url'], receiver_changed: true },
  });
  expect(JSON.stringify(entry)).not.toMatch(/t0p|Bearer/);
});

const headersOf = ({ requests }: Receiver) => requests.map(({ headers }) => headers.authorization);

test('a new receiver gets the auth_header with no event, neither a waiting one nor a test nor a redelivery', async () => {
  const [old, next] = await Promise.all([startReceiver(answering(500)), startReceiver()]);
  const webhookId = await register(old.url);
  const path = `/api/webhooks/${webhookId}`;
  const waiting = expectOk(await admin.post(`${path}/test`)).delivery_id;
  await until(async () => expectOk(await admin.get(`${path}/deliveries`)).deliveries[0].attempts === 1);

  await change(webhookId, { webhook_url: next.url });
  expectOk(await admin.post(`/api/webhooks/deliveries/${waiting}/redeliver`));
  await until(() => next.requests.length === 1);
  expectOk(await admin.post(`${path}/test`));
  await until(() => next.requests.length === 2);
  await change(webhookId, { auth_header: 'Bearer of the new one' });
  expectOk(await admin.post(`/api/webhooks/deliveries/${waiting}/redeliver`));
  await until(() => next.requests.length === 3);

  expect(headersOf(old)).toEqual([authHeader]);
  expect(headersOf(next)).toEqual([undefined, undefined, 'Bearer of the new one']);
});
