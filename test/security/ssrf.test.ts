import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { installationForTests } from './support/installation.ts';
import type { Program } from './support/program.ts';

const installation = installationForTests({ settings: { WEBHOOK_RETRY_DELAYS: '0s' } });
const given = givenIn(installation);
let team: GivenTeam;

beforeAll(async () => {
  team = await given.team();
});

const register = ({ url }: Program, webhook_url: string) =>
  sendRequest(url, 'post', '/api/webhooks/register', {
    key: team.key,
    body: { team_id: team.teamId, webhook_url, events: ['job.cancelled'] },
  });

const statusOf = async (api: Program, url: string) => (await register(api, url)).status;

test.each([22, 25, 53, 110, 445, 1_023])('a webhook with port %i is answered 422', async (port) => {
  expect(await statusOf(installation.current.api, `https://hooks.example.com:${port}/`)).toBe(422);
});

test.each([
  'http://hooks.example.com/',
  'https://hooks.example.com/',
  'https://hooks.example.com:8443/',
  'http://hooks.example.com:1024/',
])('a webhook with the URL %s is registered', async (url) => {
  expect(await statusOf(installation.current.api, url)).toBe(200);
});

test('a webhook with a port that is not in WEBHOOK_PORTS is answered 422 (spec 11.4)', async () => {
  const api = await installation.current.startApi({ WEBHOOK_PORTS: '443' });

  expect(await statusOf(api, 'https://hooks.example.com/')).toBe(200);
  expect(await statusOf(api, 'http://hooks.example.com/')).toBe(422);
  expect(await statusOf(api, 'https://hooks.example.com:8443/')).toBe(422);
});

test('a webhook with an address in WEBHOOK_DENIED_NETWORKS is answered 422, in any notation of the address (spec 11.4)', async () => {
  const api = await installation.current.startApi({ WEBHOOK_DENIED_NETWORKS: '52.95.0.0/16,2600:1f18::/32' });
  const denied = ['52.95.110.1', '0x345f6e01', '52.6254081', '[2600:1f18::7]', '[::ffff:52.95.110.1]'];

  for (const host of denied) expect([host, await statusOf(api, `https://${host}/`)]).toEqual([host, 422]);
  for (const host of ['52.94.0.1', '[2600:1f19::7]'])
    expect([host, await statusOf(api, `https://${host}/`)]).toEqual([host, 200]);
});

test('an api with an invalid WEBHOOK_DENIED_NETWORKS does not start, and its error names the setting', async () => {
  await expect(installation.current.startApi({ WEBHOOK_DENIED_NETWORKS: '10.0.0.0/99' })).rejects.toThrow(
    'WEBHOOK_DENIED_NETWORKS',
  );
});

test('the delivery log has the same error for an unknown host name and for a private address (spec 11.11)', async () => {
  // Registered by an api that allows it, delivered by a worker that does not.
  const open = await installation.current.startApi({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  const errorOf = async (url: string) => {
    const { webhook_id } = expectOk(await register(open, url));
    const { delivery_id } = expectOk(await as(installation, team).post(`/api/webhooks/${webhook_id}/test`));
    const list = async () =>
      expectOk(await as(installation, team).get(`/api/webhooks/${webhook_id}/deliveries`)).deliveries;
    const ended = await until(list, (all) =>
      all.some(
        (one: { delivery_id: string; last_error: string | null }) => one.delivery_id === delivery_id && one.last_error,
      ),
    );
    return ended[0].last_error as string;
  };

  const [hidden, absent] = [await errorOf('https://127.0.0.1/'), await errorOf('https://no-such-host.invalid/')];

  expect(hidden).toBe(absent);
});
