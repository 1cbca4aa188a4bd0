import { randomUUID } from 'node:crypto';
import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { keysIn } from './keys-of-teams.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const keys = keysIn(gateway);

const serves = async (team: GivenTeam, key: string) =>
  (await as(gateway, { ...team, key }).get(`/api/teams/${team.teamId}/credits`)).status === 200;
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('a further key is shown once, with what it was created with, and lists show it without the key (spec 25.1, spec 25.2, money 9.1)', async () => {
  const team = await given.team();

  const created = await keys.create(team, {
    name: 'reports',
    expires_at: '2031-05-01T02:00:00+02:00',
    credit_limit: 10,
    limit_reset: 'weekly',
  });

  const { virtual_key, key_id, ...rest } = expectOk(created);
  expect(created.headers.get('cache-control')).toBe('no-store');
  expect(virtual_key).toMatch(/^sk-[0-9A-Za-z]{48}$/);
  const fields = {
    name: 'reports',
    expires_at: '2031-05-01T00:00:00.000Z',
    credit_limit: 10,
    limit_reset: 'weekly',
    created_at: isoTime,
  };
  expect(rest).toEqual(fields);
  const key_hint = `sk-****…${virtual_key.slice(-4)}`;
  const shown = { ...fields, key_id, key_hint, last_used_at: null, credits_used: 0, credits_held: 0 };
  const first = {
    key_hint: `sk-****…${team.key.slice(-4)}`,
    created_at: isoTime,
    expires_at: null,
    last_used_at: null,
  };
  expect(await keys.list(team)).toEqual({ total: 1, keys: [shown], first_keys: [first] });
  expect(await serves(team, virtual_key)).toBe(true);
});

test('a key of nothing but a name has no end and no limit, and keys are listed in the order of their creation (spec 25.1, spec 25.2)', async () => {
  const team = await given.team();

  const first = expectOk(await keys.create(team, { name: 'zebra' }));
  expectOk(await keys.create(team, { name: 'ant', credit_limit: null, expires_at: null, limit_reset: null }));

  expect(first).toMatchObject({ expires_at: null, credit_limit: null, limit_reset: null });
  expect((await keys.list(team)).keys.map(({ name }: { name: string }) => name)).toEqual(['zebra', 'ant']);
});

test.each<[string, Record<string, unknown>]>([
  ['without a name', { name: undefined }],
  ['with an empty name', { name: '' }],
  ['with a name of 101 characters', { name: 'x'.repeat(101) }],
  ['with a control character in its name', { name: 'a\u0007b' }],
  ['that has expired', { expires_at: '2020-01-01T00:00:00Z' }],
  ['with an end that is no time', { expires_at: 'tomorrow' }],
  ['with an end that is a number', { expires_at: 1_900_000_000 }],
  ['with a negative limit', { credit_limit: -1 }],
  ['with a limit above 1,000,000,000', { credit_limit: 1_000_000_001 }],
  ['with a limit that is no integer', { credit_limit: 1.5 }],
  ['with an unknown reset', { limit_reset: 'yearly' }],
])('a key %s is not created (spec 25.1)', async (_, fields) => {
  const team = await given.team();

  expect((await keys.create(team, fields)).status).toBe(422);

  expect((await keys.list(team)).total).toBe(0);
});

test.each<[string, Record<string, unknown>]>([
  ['a name of 100 characters', { name: 'x'.repeat(100) }],
  ['a limit of 0', { credit_limit: 0 }],
  ['a limit of 1,000,000,000', { credit_limit: 1_000_000_000 }],
  ['an end at the end of the calendar', { expires_at: '9999-12-31T23:59:59Z' }],
])('a key with %s is created (spec 25.1)', async (_, fields) => {
  expect(expectOk(await keys.create(await given.team(), fields)).key_id).toBeTruthy();
});

test('a name is one of a kind in its team, and free again when its key is deleted or renamed (spec 25.1, spec 25.2)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const { key_id } = expectOk(await keys.create(team, { name: 'reports' }));
  const taken = { status: 400, body: { detail: "Key 'reports' already exists", code: 'key_exists' } };

  expect(await keys.create(team, { name: 'reports' })).toMatchObject(taken);
  expectOk(await keys.create(other, { name: 'reports' }));
  expectOk(await keys.create(team, { name: 'Reports' }));
  const second = expectOk(await keys.create(team, { name: 'second' })).key_id;
  expect(await keys.change(team, second, { name: 'reports' })).toMatchObject(taken);
  expectOk(await keys.change(team, key_id, { name: 'reports' }));
  expectOk(await keys.change(team, key_id, { name: 'renamed' }));
  expectOk(await keys.change(team, second, { name: 'reports' }));
  expectOk(await keys.delete(team, second));
  expectOk(await keys.create(team, { name: 'reports' }));
});

test('of simultaneous creations with one name one succeeds (spec 25.1)', async () => {
  const team = await given.team();

  const answers = await Promise.all(Array.from({ length: 10 }, () => keys.create(team, { name: 'reports' })));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)]);
});

test('a team has at most 100 further keys, also when they are created at once (spec 25.1)', async () => {
  const team = await given.team();
  const { database } = gateway.current.deps;
  await database.pool.query(
    `insert into team_keys (key_id, team_id, name, key_hash, key_sealed, key_hint)
     select gen_random_uuid(), $1::text, n::text, sha256(($1 || n)::bytea), '', 'sk-****…0000' from generate_series(1, 97) n`,
    [team.teamId],
  );

  const answers = await Promise.all(Array.from({ length: 8 }, () => keys.create(team)));

  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(5);
  for (const answer of refused) expect(answer).toMatchObject({ status: 400, body: { code: 'keys_at_most' } });
  const { total, keys: all } = await keys.list(team);
  expect(total).toBe(100);
  expectOk(await keys.delete(team, all[0].key_id));
  expectOk(await keys.create(team));
});

test('a creation that is repeated with its Idempotency-Key makes one key, also after a crash, and each repetition is audited (spec 25.1, spec 10.8)', async () => {
  const team = await given.team();
  const headers = { 'idempotency-key': unique('key') };
  const body = { name: 'reports', expires_at: '2031-01-01' };
  const first = expectOk(await keys.create(team, body, headers));

  const replayed = await keys.create(team, body, headers);
  await deleteStoredAnswers(gateway.current);
  const executedAgain = expectOk(await keys.create(team, body, headers));

  expect(expectOk(replayed)).toEqual(first);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(executedAgain).toEqual(first);
  expect((await keys.list(team)).total).toBe(1);
  expect((await readAudit(gateway.current, first.key_id)).map(({ action }) => action)).toEqual(['created_key']);
  const repetitions = await readAudit(gateway.current, `/api/teams/${team.teamId}/keys`);
  expect(repetitions.map(({ action }) => action)).toEqual(['repeated_answer']);
});

test('a key is changed field by field, and null removes an end, a limit and its reset (spec 25.2)', async () => {
  const team = await given.team();
  const bounds = { expires_at: '2031-01-01T00:00:00.000Z', credit_limit: 5, limit_reset: 'daily' };
  const { keyId } = await keys.given(team, { name: 'reports', ...bounds });

  const renamed = expectOk(await keys.change(team, keyId, { name: 'renamed' }));
  const same = expectOk(await keys.change(team, keyId, { name: null }));
  const lifted = expectOk(await keys.change(team, keyId, { credit_limit: null, limit_reset: null, expires_at: null }));
  const limited = expectOk(await keys.change(team, keyId, { credit_limit: 0, limit_reset: 'monthly' }));

  expect(renamed).toMatchObject({ key_id: keyId, name: 'renamed', ...bounds, credits_used: 0, credits_held: 0 });
  expect(same).toEqual(renamed);
  expect(lifted).toMatchObject({ name: 'renamed', expires_at: null, credit_limit: null, limit_reset: null });
  expect(limited).toMatchObject({ expires_at: null, credit_limit: 0, limit_reset: 'monthly' });
  expect((await keys.list(team)).keys).toEqual([limited]);
});

test.each<[string, Record<string, unknown>]>([
  ['a past end', { expires_at: '2020-01-01T00:00:00Z' }],
  ['an empty name', { name: '' }],
  ['a negative limit', { credit_limit: -1 }],
  ['an unknown reset', { limit_reset: '' }],
])('a key is not changed to %s (spec 25.2)', async (_, fields) => {
  const team = await given.team();
  const { keyId } = await keys.given(team);
  const before = await keys.list(team);

  expect((await keys.change(team, keyId, fields)).status).toBe(422);

  expect(await keys.list(team)).toEqual(before);
});

test('the key of another team, a deleted key and an unknown one are 404, and so is an unknown team (spec 25.2)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const { keyId: ofOther } = await keys.given(other);
  const { keyId: deleted } = await keys.given(team);
  expectOk(await keys.delete(team, deleted));

  for (const keyId of [ofOther, deleted, randomUUID()]) {
    const missing = { status: 404, body: { detail: `Key '${keyId}' not found`, code: 'key_not_found' } };
    expect(await keys.change(team, keyId, { name: 'x' })).toMatchObject(missing);
    expect(await keys.delete(team, keyId)).toMatchObject(missing);
  }
  const nowhere = { ...team, teamId: unique('nowhere') };
  const noTeam = { status: 404, body: { code: 'team_not_found' } };
  expect(await keys.create(nowhere)).toMatchObject(noTeam);
  expect(await admin.get(`/api/teams/${nowhere.teamId}/keys`)).toMatchObject(noTeam);
  expect(await keys.change(nowhere, ofOther, {})).toMatchObject(noTeam);
  expect(await keys.delete(nowhere, ofOther)).toMatchObject(noTeam);
  expect((await keys.delete(team, 'no-uuid')).status).toBe(422);
  expect((await keys.list(other)).total).toBe(1);
});

test('no key of a team sees or manages its keys (spec 25.2, money 9.1)', async () => {
  const team = await given.team();
  const { keyId, team: further } = await keys.given(team);
  const path = `/api/teams/${team.teamId}/keys`;

  for (const one of [team, further]) {
    const own = as(gateway, one);
    const answers = await Promise.all([
      own.get(path),
      own.post(path, { name: 'x' }),
      own.patch(`${path}/${keyId}`, { credit_limit: null }),
      own.delete(`${path}/${keyId}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  }
  expect((await keys.list(team)).total).toBe(1);
});

test('the creation, change and deletion of a key are audited without a secret (spec 25.2, spec 12.11)', async () => {
  const team = await given.team();
  const { keyId, team: further } = await keys.given(team, { name: 'reports', credit_limit: 3 });
  expectOk(await keys.change(team, keyId, { credit_limit: 4 }));
  expectOk(await keys.delete(team, keyId));

  const entries = await readAudit(gateway.current, keyId);

  const named = { team_id: team.teamId, name: 'reports' };
  expect(entries).toMatchObject([
    { action: 'deleted_key', resource_type: 'key', details: named },
    { action: 'changed_key', resource_type: 'key', details: { ...named, credit_limit: 4 } },
    { action: 'created_key', resource_type: 'key', details: { ...named, credit_limit: 3 } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(further.key.slice(0, 10));
});
