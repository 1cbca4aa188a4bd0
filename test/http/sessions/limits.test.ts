import { gatewayForTests } from '../../support/gateway.ts';
import { as, givenIn } from '../../support/given.ts';
import { browserIn } from './browser.ts';

const settings = {
  RATE_LIMIT_READS_PER_MINUTE: '3',
  RATE_LIMIT_SESSION_READS_PER_MINUTE: '6',
  RATE_LIMIT_REQUESTS_PER_MINUTE: '20',
};
const gateway = gatewayForTests({ worker: false, settings });
const given = givenIn(gateway);
const browser = browserIn(gateway);

const times = async (count: number, send: () => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let time = 0; time < count; time += 1) statuses.push((await send()).status);
  return statuses;
};
const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length;

test('each session by cookie has reads of its own, apart from those of the key (spec 19.7)', async () => {
  const team = await given.team();
  const [one, other] = [
    await browser.signedIn({ virtual_key: team.key }),
    await browser.signedIn({ virtual_key: team.key }),
  ];
  const path = `/api/teams/${team.teamId}`;

  const reads = {
    one: allowed(await times(8, () => one.get(path))),
    other: allowed(await times(8, () => other.get(path))),
    key: allowed(await times(8, () => as(gateway, team).get(path))),
  };

  expect(reads).toEqual({ one: 6, other: 6, key: 3 });
  expect((await one.get(path)).headers.get('x-ratelimit-limit')).toBe('6');
});

test('all requests of the sessions of one team are counted together, and apart from those of its key (spec 19.7)', async () => {
  const team = await given.team();
  const [one, other] = [
    await browser.signedIn({ virtual_key: team.key }),
    await browser.signedIn({ virtual_key: team.key }),
  ];

  const statuses = [
    ...(await times(12, () => one.get('/api/jobs'))),
    ...(await times(12, () => other.get('/api/jobs'))),
  ];

  expect(allowed(statuses)).toBe(20);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
});
