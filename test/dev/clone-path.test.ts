import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

/** Runs the first program of every npm script in a clone of that name, which has nothing to install. */
function runIn(name: string) {
  const clone = join(createWorkspace().folder, name);
  mkdirSync(clone, { recursive: true });
  cpSync('scripts', join(clone, 'scripts'), { recursive: true });
  const { stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'x.ts'], {
    cwd: clone,
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, npm_execpath: '', PATH: '' },
  });
  return { stderr, made: readdirSync(clone).filter((entry) => entry !== 'scripts') };
}

test.each(['a#b', 'a?b', 'a*b', 'a$b', 'a`b', 'a"b', 'a\nb'])(
  'a clone in %j is refused in one sentence, before anything is written',
  (name) => {
    const { stderr, made } = runIn(name);

    expect(stderr).toContain(`contains ${JSON.stringify(name[1])}`);
    expect(made).toEqual([]);
  },
);

test.each(["a [1] {b}'s", 'ä ü', 'a%20b', 'a&b;c', '-dash', '~tilde'])('a clone in %j is not refused', (name) => {
  const { stderr } = runIn(name);

  expect(stderr).not.toContain('contains');
  expect(stderr).toMatch(/package/);
});
