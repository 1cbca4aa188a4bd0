import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { identityOf } from '../../tools/dev/processes/process-identity.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import { aWorkplace, endAll } from './a-process.ts';

afterEach(endAll);

test('a supervisor that is killed outright leaves nothing behind', async () => {
  const { folder } = aWorkplace();
  const runFile = join(folder, 'run.json');
  writeFileSync(runFile, '{}');
  const program = ['--disable-warning=ExperimentalWarning', 'test/dev/a-supervisor.ts', folder];
  const supervisor = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(supervisor.stdout), 'line');
  const pid = Number(line);
  expect(identityOf(pid)).toBeDefined();

  supervisor.kill('SIGKILL');

  expect(await waitUntil(() => identityOf(pid) === undefined, { withinMs: 15_000 })).toBe(true);
  expect(await waitUntil(() => !existsSync(runFile), { withinMs: 5_000 })).toBe(true);
});
