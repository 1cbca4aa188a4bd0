import { cloneDatabase } from '../../support/database.ts';
import { startFreezingProxy } from '../../support/freezing-proxy.ts';
import { startGateway } from '../../support/gateway.ts';
import { sendRequest } from '../../support/send-request.ts';
import { adminsIn, forAdmins, goodPassword } from './admins.ts';

/** A connection or statement is given up after 2 s; what waited for a second one would be past the 3 s of `spec 1.8` by far. */
const twoTimeoutsMs = 5_000;

test('while PostgreSQL hangs every answer is 503 after one timeout, and none is a 401', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase();
  closing.defer(() => database.drop());
  const proxy = await startFreezingProxy(new URL(database.url));
  closing.defer(() => proxy.close());
  const gateway = await startGateway({ ...forAdmins, settings: { ...forAdmins.settings, DATABASE_URL: proxy.url } });
  closing.defer(() => gateway.close());
  const admins = adminsIn({ current: gateway });
  const { userId, email, token } = await admins.owner();
  const asPlatform = (method: string, path: string, body?: unknown) =>
    sendRequest(gateway.url, method, path, { key: gateway.masterKey, body });
  const timed = async (request: () => Promise<{ status: number; body: unknown }>) => {
    const begin = performance.now();
    const { status, body } = await request();
    return { status, body, late: performance.now() - begin > twoTimeoutsMs };
  };

  proxy.freeze();
  const answers = await Promise.all(
    [
      () => admins.send('get', '/setup/status'),
      () => admins.login(email, goodPassword),
      () => admins.send('get', '/me', { token }),
      () => admins.send('put', `/${userId}`, { token, body: { display_name: 'x' } }),
      () => asPlatform('get', '/api/model-groups'),
      () => asPlatform('get', '/api/model-aliases/any'),
      () => asPlatform('post', '/api/model-groups/create', { group_name: 'late' }),
      () => asPlatform('put', '/api/model-access-groups/any', { description: 'late' }),
    ].map(timed),
  );

  expect(answers).toEqual(
    answers.map(() => ({
      status: 503,
      body: { code: 'unavailable', detail: 'Service temporarily unavailable' },
      late: false,
    })),
  );
});
