import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk, givenIn, unique } from '../support/given.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import type { Json } from '../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const organization = unique('org');
beforeAll(() => given.organization(organization));

/** What has an id that stands in a path: how it is made, where it is read, the field of its id and that of its list. */
const kinds: [string, (id: string) => [path: string, body: Json], string, string | null][] = [
  [
    'organizations',
    (id) => ['/api/organizations/create', { organization_id: id, name: 'n' }],
    'organization_id',
    'organizations',
  ],
  [
    'teams',
    (id) => ['/api/teams/create', { team_id: id, organization_id: organization, model_groups: [] }],
    'team_id',
    'teams',
  ],
  ['model-groups', (id) => ['/api/model-groups/create', { group_name: id, display_name: 'n' }], 'group_name', null],
  [
    'model-aliases',
    (id) => ['/api/model-aliases/create', { alias_name: id, model_name: 'sim-ok' }],
    'alias_name',
    null,
  ],
  ['model-access-groups', (id) => ['/api/model-access-groups/create', { group_name: id }], 'group_name', null],
];

const carried = [
  '...',
  '. ',
  ' .',
  '..\u200b',
  '%2e%2e',
  '.%2e',
  '%2E',
  '%',
  '%zz',
  '../..',
  'a/../b',
  '/',
  './',
  '\\..\\',
  '?',
  '#',
  '?a=b#c',
  ';v=1',
  'create',
  ' leading and trailing ',
  ' ',
  '\u3000',
  '\u2025',
  '\uff0e\uff0e',
  '\u2028',
  'e\u0301',
  '\u00e9',
  '__proto__',
  'постоянный',
  '🙂'.repeat(60),
  'x'.repeat(255),
];
const refused = ['.', '..', '', '\n', 'a\u0000', '\u0085', '\ud800', 'x'.repeat(256)];

describe.each(kinds)('in /api/%s', (name, creation, field, listed) => {
  const read = async (query = ''): Promise<string[]> => {
    const body: Json = expectOk(await admin.get(`/api/${name}?limit=1000${query}`));
    return (listed ? body[listed] : body).map((row: Json) => row[field]);
  };

  test.each(carried)('the id %j is read by its path as it was given (spec 1.6)', async (id) => {
    const [path, body] = creation(id);

    expect((await admin.post(path, body)).status).toBe(200);
    expect(expectOk(await admin.get(`/api/${name}/${encodeURIComponent(id)}`))[field]).toBe(id);
    expect(await read()).toContain(id);
  });

  test.each(refused)('the id %j is a 422 and makes nothing, because no path could name it (spec 1.6)', async (id) => {
    const [path, body] = creation(id);
    const before = await read();

    const answer = await admin.post(path, body);

    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
    expect(await read()).toEqual(before);
  });
});

test('a team whose id is .. is still listed, found by query, and read by a client that sends the path as it is', async () => {
  const { pool } = gateway.current.deps.database;
  const { teamId } = await given.team();
  await pool.query(
    `with copied as (insert into teams select (jsonb_populate_record(t, '{"team_id": "..", "proxy_team_id": ".."}')).* from teams t
                      where team_id = $1 returning team_id, organization_id)
     insert into credit_accounts (team_id, organization_id) select team_id, organization_id from copied`,
    [teamId],
  );

  const byPath = await sendRaw(
    gateway.current.url,
    rawRequest('GET /api/teams/../credits', { Authorization: `Bearer ${gateway.current.masterKey}` }),
    (all) => all.endsWith('}'),
  );

  expect(expectOk(await admin.get('/api/teams?limit=1000')).teams.map((team: Json) => team.team_id)).toContain('..');
  expect(expectOk(await admin.get('/api/credits/balance?team_id=..'))).toMatchObject({ team_id: '..' });
  expect(byPath.received).toMatch(/^HTTP\/1\.1 200 .*"team_id":"\.\."/s);
});
