import { routes } from '../../src/http/routes.ts';
import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { adminsIn, forAdmins } from './admin-users/admins.ts';

const gateway = gatewayForTests({ ...forAdmins, worker: true });
const given = givenIn(gateway);
const admins = adminsIn(gateway);

/** The routes of `/api` that answer a page of rows. */
const lists = routes
  .map(({ spec }) => spec)
  .filter(({ path, query }) => path.startsWith('/api/') && query && 'limit' in query.shape);

const withoutPlace = routes.flatMap(({ spec: { method, limits, path } }) =>
  method === 'get' && !limits?.place ? [path] : [],
);

test('while no connection for reports is free, lists are 503 and everything else is answered', async () => {
  const { token } = await admins.owner();
  const team = await given.team();
  const job = await given.job(team);
  const organization = `/api/organizations/${team.organizationId}`;
  const { webhook_id } = await given.admin('post', '/api/webhooks/register', {
    team_id: team.teamId,
    webhook_url: 'https://example.com/hook',
    events: ['job.created'],
  });
  const ids: Record<string, string> = {
    team_id: team.teamId,
    organization_id: team.organizationId,
    job_id: job,
    webhook_id,
  };
  const others = [
    '/api/jobs/{job_id}/costs',
    '/api/teams/{team_id}/usage',
    '/api/teams/{team_id}/statement',
    '/api/organizations/{organization_id}/usage',
    '/api/organizations/{organization_id}/teams',
    '/api/admin-users',
  ];
  const read = (path: string) => {
    const query = { team_id: team.teamId, ...(/\/(usage|statement)$/.test(path) && { period: '2026-01' }) };
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const key = path.startsWith('/api/admin-users') ? token : gateway.current.masterKey;
    return sendRequest(gateway.current.url, 'get', `${filled}?${new URLSearchParams(query)}`, { key });
  };
  const readAll = () => Promise.all([...lists.map(({ path }) => path), ...others].map(read));
  expect(lists.length).toBeGreaterThan(10);
  for (const answer of await readAll()) expectOk(answer);

  const { pool } = gateway.current.deps.database.reports;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const reading = readAll();
  for (const path of withoutPlace) expect([path, (await read(path)).status]).not.toEqual([path, 503]);
  expectOk(await as(gateway, team).single());
  expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
  expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/burn-rate`));
  expectOk(await as(gateway, team).complete(job));
  expectOk(await as(gateway, team).complete(job));
  expectOk(await as(gateway, team).post(`/api/jobs/${await given.job(team)}/cancel`));
  expectOk(await asAdmin(gateway).get(organization));
  await given.team();
  const answers = await reading;
  const { body: health } = await sendRequest(gateway.current.url, 'get', '/health');
  for (const one of held) one.release();

  expect(answers.filter(({ status, headers }) => status !== 503 || !headers.get('Retry-After'))).toEqual([]);
  expect(health.dependencies.database).toBe('up');
  // The holder rests for as long as its lists have waited.
  await until(readAll, (later) => later.every(({ status }) => status === 200));
});
