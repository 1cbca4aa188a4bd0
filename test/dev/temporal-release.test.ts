import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Dispatcher, MockAgent } from 'undici';
import { writeAtomically } from '../../tools/dev/files.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { fetchSecurely, unpackArchive } from '../../tools/dev/services/temporal/download-temporal.ts';
import { archiveFor, temporalVersion, verifyArchive } from '../../tools/dev/services/temporal/release.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** An archive that contains a program `temporal`. */
async function createArchive(): Promise<Uint8Array> {
  const { folder } = createWorkspace();
  writeAtomically(join(folder, 'temporal'), '#!/bin/sh\n');
  const { ok } = await runProgram('tar', ['-czf', 'archive', 'temporal'], { cwd: folder, timeoutMs: 10_000 });
  expect(ok).toBe(true);
  return readFileSync(join(folder, 'archive'));
}

test('an archive with the known checksum is unpacked', async () => {
  const bytes = await createArchive();
  const { folder } = createWorkspace();

  const { ok } = await unpackArchive(bytes, { url: '', sha256: sha256Of(bytes) }, folder);

  expect(ok).toBe(true);
  expect(existsSync(join(folder, 'temporal'))).toBe(true);
});

test('an archive with one changed byte is not unpacked', async () => {
  const bytes = await createArchive();
  const sha256 = sha256Of(bytes);
  const { folder } = createWorkspace();
  bytes[bytes.length - 1]! ^= 1;

  await expect(unpackArchive(bytes, { url: '', sha256 }, folder)).rejects.toThrow('is not the one of the release');

  expect(['archive', 'temporal'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
});

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
  'the archive for %s is pinned by its checksum',
  (name) => {
    const archive = archiveFor(...(name.split('-') as [string, string]))!;

    expect(archive.url).toMatch(/^https:\/\//);
    expect(archive.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(() => verifyArchive(gzipSync('another program'), archive)).toThrow('is not the one of the release');
  },
);

test('there is no archive for a platform without a known checksum', () => {
  expect([archiveFor('linux', 'riscv64'), archiveFor('freebsd', 'x64'), archiveFor('__proto__', '')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the source to build is of the same release, and each of its modules is pinned', () => {
  const read = (name: string) => readFileSync(`tools/dev/services/temporal/source/${name}`, 'utf8');
  const required = [...read('go.mod').matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, name, version]) => `${name} ${version}`);

  expect(required).toContain(`github.com/temporalio/cli v${temporalVersion}`);
  for (const module of required) expect(read('go.sum')).toContain(`${module} h1:`);
});

test('a download over http is refused, at first and after a redirect', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end('archive');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.enableNetConnect(/^127\.0\.0\.1/);
  const pool = agent.get('https://release.test');
  pool.intercept({ path: '/moved' }).reply(302, '', { headers: { location: '/here' } });
  pool.intercept({ path: '/here' }).reply(200, 'archive');
  pool.intercept({ path: '/lowered' }).reply(302, '', { headers: { location: `${plain}/archive` } });
  const fetched = (url: string) => fetchSecurely(url, agent as Dispatcher);

  expect(Buffer.from(await fetched('https://release.test/moved')).toString()).toBe('archive');
  await expect(fetched('https://release.test/lowered')).rejects.toThrow(`${plain} is not https`);
  await expect(fetched(`${plain}/archive`)).rejects.toThrow('is not https');

  expect(requests).toBe(0);
  server.close();
  await agent.close();
});
