import { expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { givenOwner } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false });
const given = givenIn(installation);

const rotate = async (team: GivenTeam): Promise<string> =>
  (await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 3_600 })).virtual_key;

const get = (key: string, path: string): Promise<Answer> => sendRequest(installation.current.url, 'get', path, { key });

test('a team that reads its key sees the key of its request, also one in its grace period, and an admin sees the current key', async () => {
  const { url, masterKey } = installation.current;
  const owner = await givenOwner(url, masterKey);
  const team = await given.team();
  const second = await rotate(team);
  const third = await rotate(team);
  const shownTo = async (key: string) => expectOk(await get(key, `/api/teams/${team.teamId}`)).credits.virtual_key;

  for (const key of [team.key, second, third]) expect(await shownTo(key)).toBe(key);
  for (const key of [masterKey, owner.token]) expect(await shownTo(key)).toBe(third);
});

test('no route of a team shows the new key to a request with a key in its grace period (spec 2.7)', async () => {
  const team = await given.team();
  const successor = await rotate(team);
  const { body: description } = await get(team.key, '/openapi.json');
  const paths = Object.keys(description.paths).filter((path) => description.paths[path].get);
  const filled = paths.map((path) =>
    path.replace('{team_id}', team.teamId).replace('{organization_id}', team.organizationId),
  );
  const query = `team_id=${team.teamId}&period=2026-11`;

  const answers = await Promise.all(
    filled
      // A stream of events has no end, and ids only.
      .filter((path) => !path.includes('{') && path !== '/api/events')
      .map(async (path) => [path, await get(team.key, `${path}?${query}`)] as const),
  );

  const read = answers.filter(([, { status }]) => status === 200).map(([path]) => path);
  expect(read).toEqual(
    expect.arrayContaining([`/api/teams/${team.teamId}`, `/api/organizations/${team.organizationId}`]),
  );
  expect(answers.filter(([, { text }]) => text.includes(successor)).map(([path]) => path)).toEqual([]);
});

test('an answer that contains a key has Cache-Control: no-store', async () => {
  const team = await given.team();

  const { headers } = await get(team.key, `/api/teams/${team.teamId}`);

  expect(headers.get('cache-control')).toBe('no-store');
});
