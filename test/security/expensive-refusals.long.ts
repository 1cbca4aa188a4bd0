import { gzipSync } from 'node:zlib';
import { figures } from '../faults/support/figures.ts';
import { as, expectOk, givenIn, singleCallBody } from '../support/given.ts';
import { type FloodRequest, startFlood } from './support/flood.ts';
import { installationForTests } from './support/installation.ts';
import { healthTimes } from './support/probe.ts';

const installation = installationForTests({ settings: { TRUST_PROXY: '1' } });
const given = givenIn(installation);

const packed = (body: unknown) => gzipSync(JSON.stringify(body)).toString('base64');
const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

async function packedCalls(): Promise<FloodRequest[]> {
  const team = await given.team({ rpm_limit: 1 });
  expectOk(await as(installation, team).single());
  const body = singleCallBody(team, { messages: [{ role: 'user', content: 'x'.repeat(10_000_000) }] });
  const headers = { ...gzip, authorization: `Bearer ${team.key}` };
  return [{ method: 'POST', path: '/api/jobs/create-and-call', headers, packed: packed(body) }];
}

/** Each from its own /64, so that the limit of logins does not apply. */
async function packedLogins(): Promise<FloodRequest[]> {
  const body = { email: `${'a.'.repeat(500_000)}a@example.com`, password: 'not-that-one' };
  const headers = { ...gzip, 'x-forwarded-for': '2001:db8:{hex}::1' };
  return ['login', 'setup'].map((path) => ({
    method: 'POST',
    path: `/api/admin-users/${path}`,
    headers,
    packed: packed(body),
  }));
}

async function longHeaders(): Promise<FloodRequest[]> {
  const team = await given.team();
  const hook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.created'] };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${team.key}` };
  const body = JSON.stringify({ ...hook, auth_header: `${'x'.repeat(8_190)}\u0001` });
  return [{ method: 'POST', path: '/api/webhooks/register', headers, body }];
}

test.each([
  ['packed calls over the limit', packedCalls, 429],
  ['packed logins with a long email', packedLogins, 413],
  ['webhooks with a long header', longHeaders, 422],
])('/health takes less than 50 ms while 40 senders send %s', async (name, requestsOf, status) => {
  const { url } = installation.current;
  const requests = await requestsOf();
  const quiet = await healthTimes(url, 3);

  const flood = await startFlood({ url, requests, atOnce: 40, seconds: 30 });
  await healthTimes(url, 1);
  const beside = await healthTimes(url, 8);
  const { sent, statuses } = await flood.stop();

  figures('refusals', {
    [`/health beside 40 senders of ${name}: p50 quiet, beside, max`]: `${[quiet.p50, beside.p50, beside.max].map(Math.round).join(', ')} ms (${sent} sent, ${JSON.stringify(statuses)})`,
  });
  expect(statuses[status]).toBeGreaterThan(0);
  expect(beside.p50).toBeLessThan(50);
});
