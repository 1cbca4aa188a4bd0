import { startApiProcess } from '../../support/api-process.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { keysIn } from './keys-of-teams.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const keys = keysIn(gateway);

const statusWith = async ({ teamId }: GivenTeam, key: string) =>
  (await as(gateway, { teamId, key } as GivenTeam).get(`/api/teams/${teamId}/credits`)).status;
const rotate = async ({ teamId }: GivenTeam, grace_seconds: number): Promise<string> =>
  expectOk(await admin.post(`/api/teams/${teamId}/rotate-key`, { grace_seconds })).virtual_key;
const endPrevious = ({ teamId }: GivenTeam) => admin.post(`/api/teams/${teamId}/end-previous-keys`);
const hint = (key: string) => `sk-****…${key.slice(-4)}`;

test('the keys that serve on after rotations are listed with their ends, the current one first (spec 25.6)', async () => {
  const team = await given.team();
  const second = await rotate(team, 3_600);
  const third = await rotate(team, 7_200);

  const { first_keys } = await keys.list(team);

  expect(first_keys).toMatchObject([
    { key_hint: hint(third), expires_at: null },
    { key_hint: hint(second), expires_at: expect.any(String) },
    { key_hint: hint(team.key), expires_at: expect.any(String) },
  ]);
  expect(Date.parse(first_keys[1].expires_at) - Date.parse(first_keys[2].expires_at)).toBeGreaterThan(3_000_000);
});

test('previous keys and their sessions end at once, once, and the current and further keys stay (spec 25.6)', async () => {
  const team = await given.team();
  const further = await keys.given(team);
  const session = expectOk(await admin.post('/api/session', { virtual_key: team.key }));
  const current = await rotate(team, 3_600);
  expect(session.kind).toBe('team');
  expect(await statusWith(team, team.key)).toBe(200);

  expect(expectOk(await endPrevious(team))).toEqual({ ended: 1 });

  expect(await statusWith(team, team.key)).toBe(401);
  expect(await statusWith(team, current)).toBe(200);
  expect(await statusWith(team, further.team.key)).toBe(200);
  expect((await keys.list(team)).first_keys).toMatchObject([{ key_hint: hint(current) }]);
  expect(expectOk(await endPrevious(team))).toEqual({ ended: 0 });
  const entries = await readAudit(gateway.current, team.teamId);
  expect(entries.filter(({ action }) => action === 'ended_previous_keys')).toMatchObject([{ details: { ended: 1 } }]);
});

test('a team without a previous key, and an unknown one, are answered clearly (spec 25.6)', async () => {
  expect(expectOk(await endPrevious(await given.team()))).toEqual({ ended: 0 });
  expect(await admin.post('/api/teams/nobody/end-previous-keys')).toMatchObject({
    status: 404,
    body: { code: 'team_not_found' },
  });
});

test('the last use of each key is recorded apart from its requests, whatever their answer (spec 25.6)', async () => {
  const api = await startApiProcess(gateway.current);
  const ofApi = { current: { ...gateway.current, url: api.url } };
  const team = await given.team();
  const [used, unused] = [await keys.given(team), await keys.given(team)];
  await as(ofApi, team).get('/api/jobs/00000000-0000-4000-8000-000000000000');
  expectOk(await as(ofApi, used.team).get(`/api/teams/${team.teamId}/credits`));

  await api.end();

  const listed = await keys.list(team);
  const isRecent = expect.stringMatching(/^\d{4}-/);
  expect(listed.first_keys).toMatchObject([{ last_used_at: isRecent }]);
  expect(await keys.find(team, used.keyId)).toMatchObject({ last_used_at: isRecent });
  expect(await keys.find(team, unused.keyId)).toMatchObject({ last_used_at: null });
});
