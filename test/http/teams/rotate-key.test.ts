import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { chatStatus } from './chat-status.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const rotate = (team: GivenTeam, body?: object, headers?: Record<string, string>) =>
  admin.post(`/api/teams/${team.teamId}/rotate-key`, body, headers);
const serves = async (team: GivenTeam, key: string) =>
  (await as(gateway, { ...team, key }).get(`/api/teams/${team.teamId}/credits`)).status === 200;
const servesUpstream = async (key: string) => (await chatStatus(gateway.current, key)) === 200;
beforeEach(() => gateway.current.simulator.clearScripts());

test('a rotation without grace ends the old key at once, here and upstream (spec 2.5, spec 2.6)', async () => {
  const team = await given.team();

  const rotated = await rotate(team);

  const { virtual_key } = expectOk(rotated);
  expect(rotated.body).toMatchObject({ team_id: team.teamId, previous_key_expires_at: expect.any(String) });
  expect(rotated.headers.get('cache-control')).toBe('no-store');
  expect([await serves(team, team.key), await servesUpstream(team.key)]).toEqual([false, false]);
  expect([await serves(team, virtual_key), await servesUpstream(virtual_key)]).toEqual([true, true]);
  expect((await admin.get(`/api/teams/${team.teamId}`)).body.credits.virtual_key).toBe(virtual_key);
});

test('the old key is accepted during its grace (spec 2.6)', async () => {
  const team = await given.team();

  const { virtual_key, previous_key_expires_at } = expectOk(await rotate(team, { grace_seconds: 604_800 }));

  const daysLeft = (Date.parse(previous_key_expires_at) - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(6.99);
  expect(daysLeft).toBeLessThanOrEqual(7);
  for (const key of [team.key, virtual_key]) {
    expect([await serves(team, key), await servesUpstream(key)]).toEqual([true, true]);
  }
});

test('a key of an earlier rotation ends with the previous key at the latest (spec 2.6)', async () => {
  const team = await given.team();
  const second = expectOk(await rotate(team, { grace_seconds: 3_600 })).virtual_key;
  const third = expectOk(await rotate(team, { grace_seconds: 1_800 })).virtual_key;
  const bothServe = [await serves(team, team.key), await serves(team, second)];

  const { virtual_key } = expectOk(await rotate(team));

  expect(bothServe).toEqual([true, true]);
  for (const key of [team.key, second, third]) {
    expect([await serves(team, key), await servesUpstream(key)]).toEqual([false, false]);
  }
  expect(await serves(team, virtual_key)).toBe(true);
});

test('a key that no MASTER_KEY opens is replaced by a rotation (spec 2.5)', async () => {
  const team = await given.team();
  const { database } = gateway.current.deps;
  await database.pool.query(`update virtual_keys set key_sealed = $1 where team_id = $2`, [
    Buffer.alloc(80, 7),
    team.teamId,
  ]);

  const { virtual_key } = expectOk(await rotate(team));

  expect([await serves(team, virtual_key), await servesUpstream(virtual_key)]).toEqual([true, true]);
  expect(expectOk(await admin.get(`/api/teams/${team.teamId}`)).credits.virtual_key).toBe(virtual_key);
});

test('the grace of a later rotation does not restore an ended key', async () => {
  const team = await given.team();
  const second = expectOk(await rotate(team)).virtual_key;

  expectOk(await rotate(team, { grace_seconds: 3_600 }));

  expect([await serves(team, team.key), await servesUpstream(team.key)]).toEqual([false, false]);
  expect([await serves(team, second), await servesUpstream(second)]).toEqual([true, true]);
});

test('if the upstream refuses the new key, the old one remains', async () => {
  const team = await given.team();
  gateway.current.simulator.script('/key/generate', 'sim-fail-500', 1);

  expect(await rotate(team)).toMatchObject({
    status: 500,
    body: { detail: expect.stringMatching(/^Upstream registration failed: /) },
  });

  expect([await serves(team, team.key), await servesUpstream(team.key)]).toEqual([true, true]);
});

test('an old key that the upstream did not end is ended with the next change', async () => {
  const team = await given.team();
  gateway.current.simulator.script('/key/delete', 'sim-fail-500', 1);

  const { virtual_key } = expectOk(await rotate(team));
  expect([await serves(team, team.key), await servesUpstream(team.key)]).toEqual([false, true]);

  expectOk(await admin.put(`/api/teams/${team.teamId}`, { team_alias: 'Renamed' }));
  expect([await servesUpstream(team.key), await servesUpstream(virtual_key)]).toEqual([false, true]);
});

test('a rotation that is repeated after a crash rotates once (spec 10.8)', async () => {
  const team = await given.team();
  const headers = { 'idempotency-key': unique('key') };
  const first = expectOk(await rotate(team, {}, headers));
  await deleteStoredAnswers(gateway.current);

  expect(expectOk(await rotate(team, {}, headers))).toEqual(first);

  expect(await serves(team, first.virtual_key)).toBe(true);
});

test('simultaneous rotations leave one current key, and each returns its own', async () => {
  const team = await given.team();

  const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(team)));

  for (const answer of answers) expectOk(answer);
  expect(new Set(answers.map(({ body }) => body.virtual_key)).size).toBe(5);
  const { credits } = (await admin.get(`/api/teams/${team.teamId}`)).body;
  expect(await serves(team, credits.virtual_key)).toBe(true);
  const others = answers.map(({ body }) => body.virtual_key).filter((key) => key !== credits.virtual_key);
  for (const key of others) expect(await serves(team, key)).toBe(false);
});

test.each([-1, 604_801, 1.5, '60', true])('a grace of %j is refused (spec 2.6)', async (grace_seconds) => {
  expect((await rotate(await given.team(), { grace_seconds })).status).toBe(422);
});
