import { type ClonedDatabase, cloneDatabase } from '../support/database.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { setUp } from './support/admins.ts';
import { installationForTests, type Settings } from './support/installation.ts';
import type { Program } from './support/program.ts';

const installation = installationForTests({ worker: false, api: false });
const databases: ClonedDatabase[] = [];

afterAll(() => Promise.all(databases.map(({ drop }) => drop())));

/** An api without a user. */
async function newApi(settings: Settings): Promise<Program> {
  const database = await cloneDatabase();
  databases.push(database);
  return installation.current.startApi({ ...settings, DATABASE_URL: database.url });
}

const needsSetup = async ({ url }: Program) =>
  (await sendRequest(url, 'get', '/api/admin-users/setup/status')).body.needs_setup as boolean;

const warningsOf = (api: Program) => api.log().filter(({ level, msg }) => level >= 40 && /set-?up/i.test(msg));

test('an api on all addresses without a user logs a warning, and creates an owner only for the platform key (spec 12.1)', async () => {
  const { masterKey } = installation.current;
  const api = await newApi({ HOST: '0.0.0.0' });
  const other = { 'x-admin-key': 'another-key-of-thirty-two-characters' };

  await until(
    () => warningsOf(api),
    (found) => found.length > 0,
    5_000,
  ).catch(() => undefined);
  expect(warningsOf(api)).toHaveLength(1);
  expect((await setUp(api.url)).status).toBe(401);
  expect((await setUp(api.url, { headers: other })).status).toBe(401);
  expect((await setUp(api.url, { headers: { ...other, host: 'localhost', origin: 'http://localhost' } })).status).toBe(
    401,
  );
  expect(await needsSetup(api)).toBe(true);

  expect((await setUp(api.url, { headers: { 'x-admin-key': masterKey } })).status).toBe(200);
  expect(await needsSetup(api)).toBe(false);
  expect((await setUp(api.url, { headers: { 'x-admin-key': masterKey } })).status).toBe(400);
});

test('an api on a loopback address creates an owner without a key, once', async () => {
  const api = await newApi({ HOST: '127.0.0.1' });

  expect((await setUp(api.url)).status).toBe(200);
  expect((await setUp(api.url)).status).toBe(400);
});

test('an api with SETUP=open creates an owner without a key and one with SETUP=master-key does not, on any address (spec 12.1)', async () => {
  const [open, closed] = await Promise.all([
    newApi({ HOST: '0.0.0.0', SETUP: 'open' }),
    newApi({ HOST: '127.0.0.1', SETUP: 'master-key' }),
  ]);

  expect((await setUp(open.url)).status).toBe(200);
  expect((await setUp(closed.url)).status).toBe(401);
});

test('an api with SETUP=off creates no owner, not even for the platform key', async () => {
  const api = await newApi({ HOST: '127.0.0.1', SETUP: 'off' });

  const { status } = await setUp(api.url, { headers: { 'x-admin-key': installation.current.masterKey } });

  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(await needsSetup(api)).toBe(true);
});
