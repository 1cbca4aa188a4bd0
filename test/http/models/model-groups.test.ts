import { ask } from '../../support/ask.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, unique } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false });

const send = (method: string, path: string, body?: unknown) =>
  ask(gateway.current.url, method, `/api/model-groups${path}`, { key: gateway.current.masterKey, body });
const create = (fields: Record<string, unknown> = {}) =>
  send('post', '/create', { group_name: unique('group'), ...fields });

const wholeMember = {
  model_name: 'sim-ok',
  priority: 0,
  is_active: true,
  input_price_per_million: null,
  output_price_per_million: null,
};

test('a group is created, read, listed', async () => {
  const group_name = unique('group');

  const created = expectOk(
    await create({ group_name, display_name: 'Fast', description: 'For chat', models: [{ model_name: 'sim-ok' }] }),
  );

  expect(created).toEqual({
    model_group_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    group_name,
    display_name: 'Fast',
    description: 'For chat',
    status: 'active',
    models: [wholeMember],
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(expectOk(await send('get', `/${group_name}`))).toEqual(created);
  expect(expectOk(await send('get', ''))).toContainEqual(created);
});
