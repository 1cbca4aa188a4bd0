import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(installation);
const secret = 'Bearer RECEIVER-SECRET-42';

afterEach(closeReceivers);

const patch = async (webhookId: string, body: unknown) =>
  expectOk(
    await sendRequest(installation.current.url, 'patch', `/api/webhooks/${webhookId}`, {
      key: installation.current.masterKey,
      body,
    }),
  );

async function webhookAt(url: string): Promise<string> {
  const team = await given.team();
  const body = { team_id: team.teamId, webhook_url: url, events: ['job.created'], auth_header: secret };
  return expectOk(await as(installation, team).post('/api/webhooks/register', body)).webhook_id;
}

test('a webhook whose URL an admin changes to another receiver does not send the old auth_header there (spec 11.5)', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  const webhookId = await webhookAt(`${receiver.url}/hook`);

  expect(await patch(webhookId, { webhook_url: `${other.url}/hook` })).toMatchObject({ auth_header: null });
  await given.admin('post', `/api/webhooks/${webhookId}/test`);

  await until(
    () => other.requests.length,
    (count) => count > 0,
  );
  expect(other.requests[0]!.headers.authorization).toBeUndefined();
});

const moves: [part: string, from: string, to: string][] = [
  ['scheme', 'http://hooks.example.com:8443/a', 'https://hooks.example.com:8443/a'],
  ['host', 'https://hooks.example.com/a', 'https://hooks.example.org/a'],
  ['subdomain', 'https://hooks.example.com/a', 'https://evil.hooks.example.com/a'],
  ['port', 'https://hooks.example.com/a', 'https://hooks.example.com:8443/a'],
];

test.each(moves)('a webhook that is moved to another %s has no auth_header', async (_part, from, to) => {
  const webhookId = await webhookAt(from);

  expect(await patch(webhookId, { webhook_url: to })).toMatchObject({ webhook_url: to, auth_header: null });
  expect(await patch(webhookId, { webhook_url: from })).toMatchObject({ auth_header: null });
});

test('a webhook that is moved to another origin with the masked auth_header of an answer has no auth_header', async () => {
  const webhookId = await webhookAt('https://hooks.example.com/a');
  const shown = await patch(webhookId, { is_active: 1 });

  const moved = await patch(webhookId, { webhook_url: 'https://hooks.example.org/a', auth_header: shown.auth_header });

  expect(moved.auth_header).toBeNull();
});

test.each([
  ['https://hooks.example.com/a', 'https://hooks.example.com/b?c=d'],
  ['https://hooks.example.com/a', 'https://HOOKS.example.com:443/a'],
])('a webhook that is moved from %s to %s, the same origin, retains its auth_header', async (from, to) => {
  const webhookId = await webhookAt(from);

  expect((await patch(webhookId, { webhook_url: to })).auth_header).not.toBeNull();
});

test('a webhook that is moved with a new auth_header sends the new one to the new URL', async () => {
  const [receiver, next] = [await startReceiver(), await startReceiver()];
  const webhookId = await webhookAt(receiver.url);

  await patch(webhookId, { webhook_url: next.url, auth_header: 'Bearer for-the-next' });
  await given.admin('post', `/api/webhooks/${webhookId}/test`);

  await until(
    () => next.requests.length,
    (count) => count > 0,
  );
  expect(next.requests[0]!.headers.authorization).toBe('Bearer for-the-next');
});
