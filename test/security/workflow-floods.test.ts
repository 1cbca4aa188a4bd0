import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import { installationForTests } from './support/installation.ts';

const perMinute = 40;
const installation = installationForTests({
  settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: String(perMinute), WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
});
const given = givenIn(installation);

afterEach(closeReceivers);

const create = (team: GivenTeam, fields: object = {}, headers?: Record<string, string>) =>
  as(installation, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...fields }, headers);

/** The first 429 of the flood, which lasts longer than the rest of one window. */
async function refusalOf(send: (n: number) => ReturnType<typeof create>) {
  for (let n = 0; n < 2 * perMinute + 5; n += 1) {
    const answer = await send(n);
    if (answer.status === 429) return { answer, after: n };
  }
  throw new Error(`${2 * perMinute + 5} requests and no 429`);
}

const limitHeaders = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

test('job creation over the request limit of a key is answered 429 with the limit headers, while another key and calls succeed', async () => {
  const [team, other] = [await given.team(), await given.team()];

  const { answer, after } = await refusalOf(() => create(team));

  expect(after).toBeGreaterThanOrEqual(perMinute - 5);
  expect(limitHeaders.filter((name) => !/^\d+/.test(answer.headers.get(name) ?? ''))).toEqual([]);
  expect(answer.headers.get('x-ratelimit-limit')).toBe(String(perMinute));
  expectOk(await create(other));
  expectOk(await as(installation, team).single());
});

const cheapToSend: [name: string, send: (team: GivenTeam, n: number) => ReturnType<typeof create>][] = [
  ['repetitions of one request', (team) => create(team, {}, { 'idempotency-key': 'one' })],
  ['bodies that are refused', (team) => create(team, { job_type: 7 })],
  ['jobs of another team', (team) => create(team, { team_id: 'another' })],
  ['reads of jobs', (team) => as(installation, team).get('/api/jobs?limit=1')],
  [
    'metadata of a missing job',
    (team) => as(installation, team).patch(`/api/jobs/${crypto.randomUUID()}/metadata`, { metadata: {} }),
  ],
  ['deletions of a missing webhook', (team) => as(installation, team).delete(`/api/webhooks/${crypto.randomUUID()}`)],
];

test.each(cheapToSend)('%s count towards the request limit of the key', async (_name, send) => {
  const team = await given.team();

  expect((await refusalOf((n) => send(team, n))).answer.status).toBe(429);
});

test.each(['test', 'redeliver'])(
  'a %s of one webhook over ten in a minute is answered 429 (spec 9.7)',
  async (action) => {
    const receiver = await startReceiver();
    const team = await given.team();
    const hook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
    const { webhook_id } = expectOk(await as(installation, team).post('/api/webhooks/register', hook));
    const { delivery_id } = expectOk(await as(installation, team).post(`/api/webhooks/${webhook_id}/test`));
    await until(
      () => receiver.requests.length,
      (count) => count === 1,
    );
    const path =
      action === 'test' ? `/api/webhooks/${webhook_id}/test` : `/api/webhooks/deliveries/${delivery_id}/redeliver`;

    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await sendRequest(installation.current.url, 'post', path, { key: team.key })).status);

    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.slice(0, 9)).not.toContain(429);
  },
);
