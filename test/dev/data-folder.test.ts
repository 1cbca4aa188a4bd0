import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder, lockDataFolder, restrictDataFolder } from '../../tools/dev/data-folder.ts';
import { readOrCreateSecret } from '../../tools/dev/files.ts';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { createOwnFolder } from '../../tools/dev/services/postgres/shared-folder.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

test('a second supervisor cannot lock a data folder', () => {
  const { folder } = createWorkspace();
  const unlock = lockDataFolder(folder);

  expect(() => lockDataFolder(folder)).toThrow(`process ${process.pid} holds ${folder}`);

  unlock();
  lockDataFolder(folder)();
});

test('the lock of a supervisor that died does not block the next one', () => {
  const { folder } = createWorkspace();
  writeFileSync(join(folder, 'supervisor.json'), JSON.stringify({ pid: process.pid, identity: 'of an earlier boot' }));

  expect(() => lockDataFolder(folder)()).not.toThrow();
});

test('a secret is created once and then reused', () => {
  const file = join(createWorkspace().folder, 'master-key');

  const first = readOrCreateSecret(file);

  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(readOrCreateSecret(file)).toBe(first);
});

test('an empty secret file is refused', () => {
  const file = join(createWorkspace().folder, 'redis-password');
  writeFileSync(file, '\n');

  expect(() => readOrCreateSecret(file)).toThrow('is empty');
});

test('a data folder that is shared keeps its mode, and the files of a start in it are restricted to their owner', () => {
  const { folder } = createWorkspace();
  for (const name of ['temporal.db', 'something-else']) writeFileSync(join(folder, name), '', { mode: 0o644 });
  chmodSync(folder, 0o1777);

  restrictDataFolder(folder, () => undefined);

  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o7777).toString(8);
  expect(['', 'temporal.db', 'something-else'].map(modeOf)).toEqual(['1777', '600', '644']);
});

test('the target of a link in the data folder keeps its mode', () => {
  const [{ folder }, { folder: elsewhere }] = [createWorkspace(), createWorkspace()];
  const target = join(elsewhere, 'target');
  writeFileSync(target, '', { mode: 0o644 });
  symlinkSync(target, join(folder, 'temporal.db'));

  restrictDataFolder(folder, () => undefined);

  expect(statSync(target).mode & 0o777).toBe(0o644);
});

test('a folder for programs is created and reused, and refused when it is a link or writable by others', () => {
  const { folder } = createWorkspace();
  const [own, link, open] = ['own', 'link', 'open'].map((name) => join(folder, name)) as [string, string, string];
  symlinkSync(folder, link);
  mkdirSync(open);
  chmodSync(open, 0o777);

  expect([createOwnFolder(own), createOwnFolder(own), createOwnFolder(link), createOwnFolder(open)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a cache folder is not used where another user could replace it', () => {
  const [{ folder: shared }, { folder: fallback }] = [createWorkspace(), createWorkspace()];
  chmodSync(shared, 0o777);
  const before = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = shared;
  try {
    expect(cacheFolder(fallback)).toBe(join(fallback, 'cache'));
    chmodSync(shared, 0o1777);
    expect(cacheFolder(fallback)).toBe(join(shared, 'job-gateway'));
  } finally {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  }
});

test('a data folder that is a file, or in one, is refused in one sentence', () => {
  const file = join(createWorkspace().folder, 'file');
  writeFileSync(file, '');

  for (const folder of [file, join(file, 'data'), '/dev/null'])
    expect(() => createDataFolder(folder)).toThrow(`Nothing can be written into ${folder} (E`);
});
