import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../tools/dev/folders.ts';
import { holdDataFolder } from '../../tools/dev/hold-data-folder.ts';
import { keptSecret } from '../../tools/dev/kept-secret.ts';
import { makeOwn } from '../../tools/dev/parts/postgres/open-folder.ts';
import { restrictDataFolder } from '../../tools/dev/restrict-data-folder.ts';
import { aWorkplace, endAll } from './a-process.ts';

afterEach(endAll);

test('a data folder has one supervisor at a time', () => {
  const { folder } = aWorkplace();
  const letGo = holdDataFolder(folder);

  expect(() => holdDataFolder(folder)).toThrow(`process ${process.pid} holds ${folder}`);

  letGo();
  holdDataFolder(folder)();
});

test('the hold of a supervisor that died is taken over', () => {
  const { folder } = aWorkplace();
  writeFileSync(join(folder, 'supervisor.json'), JSON.stringify({ pid: process.pid, identity: 'of an earlier boot' }));

  expect(() => holdDataFolder(folder)()).not.toThrow();
});

test('a secret is made once', () => {
  const file = join(aWorkplace().folder, 'master-key');

  const first = keptSecret(file);

  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(keptSecret(file)).toBe(first);
});

test('an emptied secret is not taken for one', () => {
  const file = join(aWorkplace().folder, 'redis-password');
  writeFileSync(file, '\n');

  expect(() => keptSecret(file)).toThrow('is empty');
});

test('a folder that serves others too keeps its mode, and what a start keeps in it is closed', () => {
  const { folder } = aWorkplace();
  for (const name of ['temporal.db', 'something-else']) writeFileSync(join(folder, name), '', { mode: 0o644 });
  chmodSync(folder, 0o1777);

  restrictDataFolder(folder, () => undefined);

  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o7777).toString(8);
  expect(['', 'temporal.db', 'something-else'].map(modeOf)).toEqual(['1777', '600', '644']);
});

test('a file that a link in the data folder leads to keeps its mode', () => {
  const [{ folder }, { folder: elsewhere }] = [aWorkplace(), aWorkplace()];
  const target = join(elsewhere, 'target');
  writeFileSync(target, '', { mode: 0o644 });
  symlinkSync(target, join(folder, 'temporal.db'));

  restrictDataFolder(folder, () => undefined);

  expect(statSync(target).mode & 0o777).toBe(0o644);
});

test('a folder for programs is made, found again, and refused as a link or where others can write to it', () => {
  const { folder } = aWorkplace();
  const [own, link, open] = ['own', 'link', 'open'].map((name) => join(folder, name)) as [string, string, string];
  symlinkSync(folder, link);
  mkdirSync(open);
  chmodSync(open, 0o777);

  expect([makeOwn(own), makeOwn(own), makeOwn(link), makeOwn(open)]).toEqual([true, true, false, false]);
});

test('a cache in a folder where others can exchange it is not used', () => {
  const [{ folder: shared }, { folder: fallback }] = [aWorkplace(), aWorkplace()];
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
