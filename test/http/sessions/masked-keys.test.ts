import { z } from 'zod';
import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { browserIn } from './browser.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

async function adminSession(role = 'admin') {
  const { email } = await admins.created({ role });
  return browser.signedIn({ email, password: goodPassword });
}

const hasKey = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' })).includes('"virtual_key"');

const wholeKeyAnswers = [
  'post /api/teams/create',
  'post /api/teams/{team_id}/rotate-key',
  'post /api/teams/{team_id}/reveal-key',
  'post /api/teams/{team_id}/keys',
];

test('every answer with a virtual key either shows the whole key or masks it for a session by cookie (spec 19.5)', () => {
  const showing = routes.filter(({ spec }) => hasKey(spec.response)).map(({ spec }) => `${spec.method} ${spec.path}`);

  expect(showing.sort()).toEqual([...wholeKeyAnswers, 'get /api/teams/{team_id}'].sort());
});

test('an admin reads a team by cookie with a masked key, unaudited, and by token with the whole key (spec 19.5)', async () => {
  const team = await given.team();
  const session = await adminSession();
  const path = `/api/teams/${team.teamId}`;

  const answer = await session.get(path);

  expect(expectOk(answer).credits.virtual_key).toBe(`sk-****…${team.key.slice(-4)}`);
  expect(answer.text).not.toContain(team.key);
  expect((await readAudit(gateway.current, team.teamId)).map(({ action }) => action)).toEqual(['created_team']);
  expect((await given.admin('get', path)).credits.virtual_key).toBe(team.key);
});

test('a team reads itself by cookie with its masked key, also in the grace period of that key, and by key with the whole key', async () => {
  const team = await given.team();
  const session = await browser.signedIn({ virtual_key: team.key });
  await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 600 });

  const answer = await session.get(`/api/teams/${team.teamId}`);

  expect(expectOk(answer).credits.virtual_key).toBe(`sk-****…${team.key.slice(-4)}`);
  expect(answer.text).not.toContain(team.key);
  expect(expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}`)).credits.virtual_key).toBe(team.key);
});

test('an owner or admin reveals the current key of a team, which is audited and never cached (spec 19.6)', async () => {
  const team = await given.team();
  const { virtual_key: current } = await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, {
    grace_seconds: 600,
  });

  for (const role of ['owner', 'admin']) {
    const session = await adminSession(role);
    const answer = await session.send('post', `/api/teams/${team.teamId}/reveal-key`);
    expect(expectOk(answer)).toEqual({ team_id: team.teamId, virtual_key: current });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [entry] = await readAudit(gateway.current, team.teamId);
    expect(entry).toMatchObject({ action: 'revealed_key', user_id: session.session.user.user_id });
    expect(JSON.stringify(entry)).not.toContain(current);
  }
});

test('the key of no team is revealed to a user, to a team, or for an unknown team', async () => {
  const team = await given.team();
  const path = `/api/teams/${team.teamId}/reveal-key`;
  const [user, owner] = [await adminSession('user'), await adminSession('owner')];
  const session = await browser.signedIn({ virtual_key: team.key });

  expect((await user.send('post', path)).status).toBe(403);
  expect((await session.send('post', path)).status).toBe(403);
  expect((await as(gateway, team).post(path)).status).toBe(401);
  expect((await owner.send('post', `/api/teams/${unique('nowhere')}/reveal-key`)).status).toBe(404);
});

test('the answers that create a team, rotate its key and create a further one show the key by cookie too (spec 19.5)', async () => {
  const owner = await adminSession('owner');
  const { organizationId, modelGroup } = await given.team();
  const body = { organization_id: organizationId, team_id: unique('team'), model_groups: [modelGroup] };

  const created = expectOk(await owner.send('post', '/api/teams/create', { body }));
  const rotated = expectOk(await owner.send('post', `/api/teams/${body.team_id}/rotate-key`, { body: {} }));
  const further = expectOk(await owner.send('post', `/api/teams/${body.team_id}/keys`, { body: { name: 'further' } }));

  expect([created.virtual_key, rotated.virtual_key, further.virtual_key]).toEqual([
    expect.stringMatching(/^sk-\w{48}$/),
    expect.stringMatching(/^sk-\w{48}$/),
    expect.stringMatching(/^sk-\w{48}$/),
  ]);
});
