import { z } from 'zod';
import { routes } from '../../../src/http/routes.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

/** A team and its keys, the oldest first; all of them serve. */
async function rotatedTeam(rotations: number): Promise<{ team: GivenTeam; keys: string[] }> {
  const team = await given.team();
  const keys = [team.key];
  for (let count = 0; count < rotations; count++) {
    const rotated = await admin.post(`/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 3_600 });
    keys.push(expectOk(rotated).virtual_key);
  }
  return { team, keys };
}

const shownTo = async (team: GivenTeam, key: string) =>
  expectOk(await as(gateway, { ...team, key }).get(`/api/teams/${team.teamId}`)).credits.virtual_key;

test.each([1, 2])(
  'after %i rotations with grace, each key of a team reads itself, and an admin the current key (spec 2.7)',
  async (rotations) => {
    const { team, keys } = await rotatedTeam(rotations);

    const shown = [];
    for (const key of keys) shown.push(await shownTo(team, key));

    expect(shown).toEqual(keys);
    const toAdmin = expectOk(await admin.get(`/api/teams/${team.teamId}`));
    expect(toAdmin.credits.virtual_key).toBe(keys.at(-1));
  },
);

test('no answer to a key in its grace contains another key of its team (spec 2.7)', async () => {
  const { team, keys } = await rotatedTeam(2);
  const [, previous] = keys;
  const { get } = as(gateway, { ...team, key: previous! });
  // A stream of events has no end, and no key.
  const own = routes.filter(
    ({ spec }) => spec.method === 'get' && spec.access.audience.includes('team') && !spec.streams,
  );

  const answers = await Promise.all(
    own.map(({ spec }) => {
      const path = spec.path.replace('{team_id}', team.teamId).replace('{organization_id}', team.organizationId);
      return get(`${path}?team_id=${team.teamId}`);
    }),
  );

  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(8);
  const all = answers.map(({ text }) => text).join();
  expect([all.includes(keys[0]!), all.includes(keys[2]!)]).toEqual([false, false]);
});

describe('a registration of a webhook that was made under an Idempotency-Key', () => {
  const send = (team: GivenTeam, key: string, idempotencyKey: string) =>
    as(gateway, { ...team, key }).post(
      '/api/webhooks/register',
      { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.failed'] },
      { 'idempotency-key': idempotencyKey },
    );
  const webhooksOf = async (team: GivenTeam) =>
    expectOk(await as(gateway, team).get(`/api/webhooks?team_id=${team.teamId}`)).total;

  test('by the current key is not repeated to the key before it, which gets a 422 (spec 10.10)', async () => {
    const { team, keys } = await rotatedTeam(1);
    const [previous, current] = keys as [string, string];
    const idempotencyKey = unique('key');
    const first = expectOk(await send(team, current, idempotencyKey));

    const toPrevious = await send(team, previous, idempotencyKey);

    expect(toPrevious).toMatchObject({ status: 422, body: { detail: [{ loc: ['header', 'idempotency-key'] }] } });
    expect(toPrevious.text).not.toContain(first.secret);
    expect(expectOk(await send(team, current, idempotencyKey))).toEqual(first);
    expect(await webhooksOf(team)).toBe(1);
  });

  test('by the current key cannot be repeated by the key before it, also if its answer was lost', async () => {
    const { team, keys } = await rotatedTeam(1);
    const [previous, current] = keys as [string, string];
    const idempotencyKey = unique('key');
    const first = expectOk(await send(team, current, idempotencyKey));
    await deleteStoredAnswers(gateway.current);

    expect((await send(team, previous, idempotencyKey)).text).not.toContain(first.secret);
    expect(expectOk(await send(team, current, idempotencyKey)).secret).toBe(first.secret);
  });

  test('is repeated to the same key in its grace, and to the current key (spec 10.10)', async () => {
    const team = await given.team();
    const idempotencyKey = unique('key');
    const first = expectOk(await send(team, team.key, idempotencyKey));
    const rotation = await admin.post(`/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 3_600 });
    const current = expectOk(rotation).virtual_key;

    expect(expectOk(await send(team, team.key, idempotencyKey))).toEqual(first);
    expect(expectOk(await send(team, current, idempotencyKey))).toEqual(first);
    expect(await webhooksOf(team)).toBe(1);
  });
});

test('each route whose answer has a key, a secret or a token is marked as secret, so that it is not cached', () => {
  const secretFields = /"(virtual_key|secret|access_token|password|password_hash)":/;
  const showsSecret = routes.filter(({ spec }) =>
    secretFields.test(JSON.stringify(z.toJSONSchema(spec.response, { io: 'input', unrepresentable: 'any' }))),
  );

  expect(showsSecret.length).toBeGreaterThan(4);
  expect(showsSecret.filter(({ spec }) => !spec.secret).map(({ spec }) => spec.path)).toEqual([]);
});
