import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pidsOf, type Start, startEverything } from '../dev/npm-start.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { sendRequest } from '../support/send-request.ts';
import { setUp } from './support/admins.ts';

// `npm start` on a machine with other users.
const folder = join(mkdtempSync(join(tmpdir(), 'job-gateway-desk-')), 'data');
let start: Start;

beforeAll(async () => {
  start = await startEverything(folder);
}, 180_000);

afterAll(async () => {
  const elsewhere = folders();
  await start?.end();
  for (const each of elsewhere) rmSync(each, { recursive: true, force: true });
  rmSync(dirname(folder), { recursive: true, force: true });
}, 60_000);

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

/** The data folder, and the folder of PostgreSQL's data if the data folder only contains a link to it. */
function folders(): string[] {
  const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return [folder, ...links.map(({ name }) => realpathSync(join(folder, name)))];
}

/** Every file below these folders, through the folders that `only` accepts. */
function files(only: (path: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const walk = (path: string) => {
    if (!only(path)) return;
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
    else if (lstatSync(path).isFile()) found.push(path);
  };
  for (const each of folders()) walk(each);
  return found;
}

const isOpenToOthers = (path: string) => !lstatSync(path).isDirectory() || (modeOf(path) & 0o001) !== 0;

test('the data folder cannot be listed, and its files cannot be read, by another user of the machine', () => {
  expect(modeOf(folder).toString(8)).toBe('711');
  expect(files(isOpenToOthers).filter((path) => modeOf(path) & 0o044)).toEqual([]);
});

test('the data folder contains no draft file of a password after the start', () => {
  expect(files().filter((path) => path.includes('draft'))).toEqual([]);
});

test('the command lines of the processes, which all users can read, contain no password', () => {
  const { postgres, redis } = start.run();
  const passwords = [postgres.url, redis.url].map((url) => decodeURIComponent(new URL(url!).password)).filter(Boolean);
  const lines = pidsOf(start.run()).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));

  expect(passwords).toHaveLength(2);
  expect(lines.filter((line) => passwords.some((password) => line.includes(password)))).toEqual([]);
});

test('Redis refuses commands without a password', async () => {
  const { redis } = start.run();

  const { received } = await sendRaw(redis.url!.replace(/^redis/, 'http'), 'PING\r\n', (text) => text.includes('\n'));

  expect(received).toMatch(/^-(NOAUTH|DENIED)/);
});

test('a request for a foreign host name that resolves to this machine is answered 421', async () => {
  const { api } = start.run();
  const request = rawRequest('GET /api/admin-users/setup/status', { Host: 'evil.example', Connection: 'close' });

  expect((await sendRaw(api.url!, request)).received).toMatch(/^HTTP\/1\.1 421 /);
  expect((await sendRequest(api.url!, 'get', '/health')).status).toBe(200);
  expect((await setUp(api.url!)).status).toBe(200);
});
