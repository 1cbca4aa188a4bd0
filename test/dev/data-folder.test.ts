import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdDataFolder } from '../../src/dev/hold-data-folder.ts';
import { keptSecret } from '../../src/dev/kept-secret.ts';
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
