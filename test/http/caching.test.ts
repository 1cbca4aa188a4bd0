import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { adminsIn } from './admin-users/admins.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const paths = (teamId: string) => [
  '/api/organizations',
  `/api/teams/${teamId}/credits`,
  '/api/jobs?limit=1',
  '/api/jobs/nothing',
  '/api/admin-users/me',
  '/api/jobs/create',
  '/metrics',
  '/nowhere',
];

test('every answer to a request with a credential forbids caching (spec 1.14)', async () => {
  const { teamId, key } = await given.team();
  const { token } = await admins.owner();
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const credentials = [
    { 'x-admin-key': gateway.current.masterKey },
    { 'x-admin-key': 'wrong' },
    bearer(gateway.current.masterKey),
    bearer(key),
    bearer(token),
    bearer('wrong'),
  ];

  for (const path of paths(teamId))
    for (const headers of credentials) {
      const answer = await sendRequest(gateway.current.url, 'get', path, { headers });
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'private, no-store']);
      expect(answer.headers.get('vary')).toBe('Authorization, X-Admin-Key');
    }
});

test('an answer with a key is no-store, and public answers may be cached (spec 1.14)', async () => {
  const { teamId, key } = await given.team();

  const shown = await sendRequest(gateway.current.url, 'get', `/api/teams/${teamId}`, { key });
  const health = await sendRequest(gateway.current.url, 'get', '/health');

  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect(health.headers.get('cache-control')).toBeNull();
});
