import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

test('a created organization is active and has the fields that were sent (spec 8.5)', async () => {
  const organization_id = unique('org');
  const metadata = { plan: 'gold', nested: { a: [1, null] } };

  const created = await admin.post('/api/organizations/create', { organization_id, name: 'Acme', metadata });

  expect(created.body).toEqual({
    organization_id,
    name: 'Acme',
    status: 'active',
    metadata,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await admin.get(`/api/organizations/${organization_id}`)).body).toEqual(created.body);
  expect(await readAudit(gateway.current, organization_id)).toMatchObject([
    { action: 'created_organization', resource_type: 'organization', user_id: null },
  ]);
});

test('simultaneous creations with one id create one organization (spec 8.5)', async () => {
  const body = { organization_id: unique('org'), name: 'Acme' };

  const answers = await Promise.all(Array.from({ length: 50 }, () => admin.post('/api/organizations/create', body)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.body).toEqual({
    detail: `Organization '${body.organization_id}' already exists`,
    code: 'organization_exists',
  });
});

test('a repeated creation of an organization after a crash returns what the first one made', async () => {
  const body = { organization_id: unique('org'), name: 'Acme' };
  const create = (key: string) => admin.post('/api/organizations/create', body, { 'idempotency-key': key });
  const key = unique('key');
  const first = expectOk(await create(key));
  await deleteStoredAnswers(gateway.current);

  expect(expectOk(await create(key))).toEqual(first);

  expect((await create(unique('key'))).status).toBe(400);
  expect(await readAudit(gateway.current, body.organization_id)).toHaveLength(1);
});

test.each(['__proto__', 'constructor', 'toString', 'a/b', 'ACME', 'acme', 'café', 'cafe\u0301', '🚀', 'x'.repeat(255)])(
  'an organization can have the id %j (spec 1.6)',
  async (organization_id) => {
    expectOk(await admin.post('/api/organizations/create', { organization_id, name: 'Acme' }));

    const path = `/api/organizations/${encodeURIComponent(organization_id)}`;
    expect((await admin.get(path)).body).toMatchObject({ organization_id });
    const listed = await admin.get(`/api/organizations?organization_id=${encodeURIComponent(organization_id)}`);
    expect(listed.body).toMatchObject({ total: 1, organizations: [{ organization_id }] });
  },
);

test.each([
  ['no body', undefined, ['body'], 'missing'],
  ['no id', { name: 'Acme' }, ['body', 'organization_id'], 'missing'],
  ['no name', { organization_id: 'a' }, ['body', 'name'], 'missing'],
  ['an empty id', { organization_id: '', name: 'a' }, ['body', 'organization_id'], 'string_too_short'],
  ['a long id', { organization_id: 'x'.repeat(256), name: 'a' }, ['body', 'organization_id'], 'string_too_long'],
  ['a line break in the id', { organization_id: 'a\nb', name: 'a' }, ['body', 'organization_id'], expect.any(String)],
  ['NUL in the name', { organization_id: 'a', name: 'a\0' }, ['body', 'name'], 'value_error'],
  ['a number for an id', { organization_id: 1, name: 'a' }, ['body', 'organization_id'], 'string_type'],
  ['metadata that is a list', { organization_id: 'a', name: 'a', metadata: [] }, ['body', 'metadata'], 'dict_type'],
])('an organization with %s is refused, and nothing is created (spec 1.6)', async (_, body, loc, type) => {
  const before = (await admin.get('/api/organizations')).body.total;

  const refused = await admin.post('/api/organizations/create', body);

  expect(refused).toMatchObject({ status: 422, body: { detail: [expect.objectContaining({ loc, type })] } });
  expect((await admin.get('/api/organizations')).body.total).toBe(before);
});

test("a team's key cannot create an organization", async () => {
  const team = await given.team();

  const refused = await as(gateway, team).post('/api/organizations/create', { organization_id: 'mine', name: 'Mine' });

  expect(refused.status).toBe(401);
});
