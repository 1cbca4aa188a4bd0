import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: {
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_DENIED_NETWORKS: '127.0.0.0/8, ::1/128',
    WEBHOOK_PORTS: '443,1024-65535',
    WEBHOOK_RETRY_DELAYS: '0ms',
  },
});
const given = givenIn(gateway);
afterEach(closeReceivers);

const at = (webhook_url: string) => ({ webhook_url, events: ['job.failed'] });
const refused = { status: 422, body: { detail: [{ loc: ['body', 'webhook_url'], type: 'value_error' }] } };

test.each([
  ['a denied address', 'http://127.0.0.1:8080/'],
  ['another spelling of a denied address', 'http://[::ffff:127.0.0.1]:8080/'],
  ['a port that is not allowed', 'https://hooks.example.com:25/'],
  ['a default port that is not allowed', 'http://hooks.example.com/'],
])('a webhook with %s is refused, at its registration and in a change (spec 11.4)', async (_, url) => {
  const team = await given.team();
  const { post, patch } = as(gateway, team);
  const allowed = { team_id: team.teamId, ...at('https://hooks.example.com/') };
  const { webhook_id } = expectOk(await post('/api/webhooks/register', allowed));

  expect(await post('/api/webhooks/register', { ...allowed, ...at(url) })).toMatchObject(refused);
  expect(await patch(`/api/webhooks/${webhook_id}`, at(url))).toMatchObject(refused);
});

test('no connection is made to a name that resolves to a denied network, and its delivery fails as for an unknown name', async () => {
  const canary = await startReceiver();
  const team = await given.team();
  const { get, post } = as(gateway, team);
  const errors = [];

  for (const host of ['localhost', 'no-such-host.invalid']) {
    const webhook = { team_id: team.teamId, ...at(`http://${host}:${canary.port}/`) };
    const { webhook_id } = expectOk(await post('/api/webhooks/register', webhook));
    expectOk(await post(`/api/webhooks/${webhook_id}/test`));
    const [delivery] = await until(
      async () => expectOk(await get(`/api/webhooks/${webhook_id}/deliveries`)).deliveries,
      ([one]) => one.status === 'exhausted',
    );
    errors.push(delivery.last_error);
  }

  expect(new Set(errors)).toEqual(new Set(['the host was not found or must not be connected to']));
  expect(canary.connections).toBe(0);
});
