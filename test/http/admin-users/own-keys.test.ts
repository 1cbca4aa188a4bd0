import { unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { type Admin, adminsIn, gatewayForAdmins } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

test('the stored answer of one admin is not repeated to another with the same Idempotency-Key (spec 10.3)', async () => {
  const [first, second] = [await admins.admin('admin'), await admins.admin('admin')];
  const body = { organization_id: unique('org'), name: 'Acme' };
  const headers = { 'idempotency-key': unique('key') };
  const create = ({ token }: Admin) =>
    sendRequest(gateway.current.url, 'post', '/api/organizations/create', { key: token, body, headers });

  const created = await create(first);
  const answers = [await create(second), await create(first)];

  expect(created.status).toBe(200);
  expect(answers.map(({ status }) => status)).toEqual([400, 200]);
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
});
