import { type Gateway, startGateway } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { rawRequest, sendRaw } from '../../support/raw.ts';
import { adminsIn, goodPassword, uniqueEmail } from './admins.ts';

type Settings = Record<string, string>;

/** A gateway that nobody owns yet, for one test. */
async function withGateway(settings: Settings, use: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await startGateway({ worker: false, settings });
  await use(gateway).finally(() => gateway.close());
}

const body = () => ({ email: uniqueEmail(), display_name: 'Me', password: goodPassword });
const setUp = (gateway: Gateway, headers: Record<string, string> = {}, given: unknown = body()) =>
  adminsIn({ current: gateway }).send('post', '/setup', { body: given, headers });
const status = async (gateway: Gateway) =>
  expectOk(await adminsIn({ current: gateway }).send('get', '/setup/status')).needs_setup;

test.each<[string, Settings]>([
  ['on every address', { HOST: '0.0.0.0' }],
  ['on an address of a network', { HOST: '192.0.2.7' }],
  ['where SETUP is master-key', { HOST: '127.0.0.1', SETUP: 'master-key' }],
])('an api that listens %s is set up with the platform key only (spec 12.1)', async (_, settings) => {
  await withGateway(settings, async (gateway) => {
    const { masterKey } = gateway;
    const wrong: Record<string, string>[] = [
      {},
      { 'x-admin-key': 'wrong' },
      { 'x-admin-key': '' },
      { authorization: `Bearer ${masterKey}` },
    ];

    const refused = [];
    for (const headers of wrong) refused.push(await setUp(gateway, headers));
    const unread = await setUp(gateway, {}, { email: 7 });

    for (const answer of [...refused, unread]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.body).toEqual({
        detail: expect.stringMatching(/^(Missing|Invalid) admin credential$/),
        code: expect.stringMatching(/^admin_key_(missing|invalid)$/),
      });
    }
    expect(await status(gateway)).toBe(true);
    expect((await setUp(gateway, { 'x-admin-key': masterKey }, { email: 7 })).status).toBe(422);
    expect((await setUp(gateway, { 'x-admin-key': masterKey })).status).toBe(200);
    expect(await status(gateway)).toBe(false);
    expect(await setUp(gateway, { 'x-admin-key': masterKey })).toMatchObject({
      status: 400,
      body: { detail: 'Setup already completed' },
    });
    expect((await setUp(gateway)).status).toBe(401);
  });
});

test('two X-Admin-Key headers do not count as the platform key at set-up', async () => {
  await withGateway({ SETUP: 'master-key' }, async (gateway) => {
    const twice = { 'X-Admin-Key': `${gateway.masterKey}\r\nX-Admin-Key: ${gateway.masterKey}`, 'Content-Length': '0' };

    const { received } = await sendRaw(gateway.url, rawRequest('POST /api/admin-users/setup', twice), (text) =>
      text.endsWith('}'),
    );

    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });
});

test.each<[string, Settings]>([
  ['on 127.0.0.1', {}],
  ['on ::1', { HOST: '::1' }],
  ['everywhere, where SETUP is open', { HOST: '0.0.0.0', SETUP: 'open' }],
])('an api that listens %s is set up by the first client (spec 12.1)', async (_, settings) => {
  await withGateway(settings, async (gateway) => {
    expect((await setUp(gateway)).status).toBe(200);
  });
});

test.each(['master-key', 'off'])('with SETUP=%s the status of the set-up has this value', async (SETUP) => {
  await withGateway({ SETUP }, async (gateway) => {
    const answer = await adminsIn({ current: gateway }).send('get', '/setup/status');

    expect(expectOk(answer)).toEqual({ needs_setup: true, has_users: false, setup: SETUP });
  });
});

test('with SETUP=off the set-up is refused, also with the platform key (spec 12.1)', async () => {
  await withGateway({ SETUP: 'off' }, async (gateway) => {
    const { masterKey } = gateway;

    const answers = [await setUp(gateway), await setUp(gateway, { 'x-admin-key': masterKey }, { email: 7 })];

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, body: { detail: 'Set-up is switched off' } });
    expect(await status(gateway)).toBe(true);
  });
});
