import { randomUUID } from 'node:crypto';
import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk, unique } from '../support/given.ts';

import { readAudit } from '../support/read-audit.ts';

const gateway = gatewayForTests({ worker: false });
const admin = asAdmin(gateway);
const view = (name = unique('view')) => ({ name, path: '/jobs', query: '?status=failed&range=7d' });

test('a view that an admin saves is listed for all, changed and deleted, each with its audit entry (spec 19.77)', async () => {
  const given = view();
  const saved = expectOk(await admin.post('/api/views', given));
  const renamed = { ...given, name: unique('view'), query: '' };
  const changed = expectOk(await admin.put(`/api/views/${saved.view_id}`, renamed));
  const { views } = expectOk(await admin.get('/api/views'));
  expectOk(await admin.delete(`/api/views/${saved.view_id}`));
  const after = expectOk(await admin.get('/api/views'));

  expect(saved).toMatchObject({ ...given, created_by: 'platform' });
  expect(changed).toMatchObject({ ...renamed, view_id: saved.view_id, created_by: 'platform' });
  expect(views).toContainEqual(changed);
  expect(after.views.map(({ view_id }: { view_id: string }) => view_id)).not.toContain(saved.view_id);
  const actions = await Promise.all(
    [given.name, renamed.name, saved.view_id].map(async (id) =>
      (await readAudit(gateway.current, id)).map(({ action }) => action),
    ),
  );
  expect(actions).toEqual([['created_view'], ['updated_view'], ['deleted_view']]);
});

test('a name that another view has, and a view that does not exist, are refused and change nothing (spec 19.77)', async () => {
  const [one, other] = [view(), view()];
  const { view_id } = expectOk(await admin.post('/api/views', one));
  expectOk(await admin.post('/api/views', other));

  const again = await admin.post('/api/views', one);
  const taken = await admin.put(`/api/views/${view_id}`, { ...one, name: other.name });
  const unknown = await admin.put(`/api/views/${randomUUID()}`, view());
  const gone = await admin.delete(`/api/views/${randomUUID()}`);

  expect([again, taken].map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([400, 'view_exists']));
  expect([unknown, gone].map(({ status, body }) => [status, body.code])).toEqual(
    Array(2).fill([404, 'view_not_found']),
  );
});

test.each([
  ['a path to elsewhere', { ...view(), path: '//example.com' }, 'path'],
  ['a query without a question mark', { ...view(), query: 'status=failed' }, 'query'],
  ['an empty name', { ...view(), name: ' ' }, 'name'],
])('a view with %s is 422 (spec 19.77)', async (_, body, field) => {
  const { status, body: answer } = await admin.post('/api/views', body);

  expect([status, answer.detail[0].loc]).toEqual([422, ['body', field]]);
});
