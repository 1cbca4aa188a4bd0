import { figures } from '../faults/support/figures.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import { type FloodRequest, startFlood } from './support/flood.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { callTimes } from './support/probe.ts';

const limit = 1_200;

// A new one for each flood: the remaining work of one would slow the next.
let current: Installation;
const installation = {
  get current() {
    return current;
  },
};
const given = givenIn(installation);

beforeEach(async () => {
  current = await openInstallation({
    settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: String(limit), WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
  });
}, 120_000);

afterEach(async () => {
  await closeReceivers();
  await current?.close();
}, 120_000);

const headersOf = (team: GivenTeam) => ({ authorization: `Bearer ${team.key}`, 'content-type': 'application/json' });

async function jobFlood(team: GivenTeam): Promise<FloodRequest[]> {
  const body = JSON.stringify({ team_id: team.teamId, job_type: 'flood-{n}' });
  return [{ method: 'POST', path: '/api/jobs/create', headers: headersOf(team), body }];
}

async function webhookFlood(team: GivenTeam): Promise<FloodRequest[]> {
  const receiver = await startReceiver();
  const hook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1)
    ids.push(expectOk(await as(installation, team).post('/api/webhooks/register', hook)).webhook_id);
  return ids.map((id) => ({ method: 'POST', path: `/api/webhooks/${id}/test`, headers: headersOf(team) }));
}

async function metadataFlood(team: GivenTeam): Promise<FloodRequest[]> {
  const path = `/api/jobs/${await given.job(team)}/metadata`;
  return [{ method: 'PATCH', path, headers: headersOf(team), body: '{"metadata":{"turn":{n}}}' }];
}

test.each([
  ['jobs', jobFlood],
  ['tests of webhooks', webhookFlood],
  ['metadata', metadataFlood],
])(
  'calls of a team take less than twice as long during a flood of %s by another key, which is answered 429 over its limit',
  async (name, requestsOf) => {
    const [flooder, other] = [await given.team(), await given.team({ credits: 1_000_000 })];
    const requests = await requestsOf(flooder);
    await callTimes(installation, other, 3);
    const quiet = await callTimes(installation, other, 6);

    const flood = await startFlood({ url: installation.current.url, requests, atOnce: 20, seconds: 60 });
    const beside = await callTimes(installation, other, 30);
    const { sent, statuses } = await flood.stop();

    figures('workflow floods', {
      [`calls beside a flood of ${name}: p50 quiet, beside, max`]: `${[quiet.p50, beside.p50, beside.max].map(Math.round).join(', ')} ms (${sent} sent, ${JSON.stringify(statuses)})`,
    });
    // The quota of workflow starts can slow a flood down below the limit.
    if (sent > limit) expect(statuses[429]).toBeGreaterThan(0);
    expect(beside.p50 / quiet.p50).toBeLessThan(2);
  },
);
