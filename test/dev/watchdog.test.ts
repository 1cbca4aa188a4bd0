import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readIdentity } from '../../tools/dev/processes/process-identity.ts';
import { waitUntil } from '../../tools/dev/processes/wait-until.ts';
import { createWorkspace, removeWorkspaces } from './workspace.ts';

afterEach(removeWorkspaces);

test('the watchdog ends the processes of a killed supervisor and removes its files', async () => {
  const { folder } = createWorkspace();
  const runFile = join(folder, 'run.json');
  writeFileSync(runFile, '{}');
  const program = ['--disable-warning=ExperimentalWarning', 'test/dev/watched-supervisor.ts', folder];
  const supervisor = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(supervisor.stdout), 'line');
  const pid = Number(line);
  expect(readIdentity(pid)).toBeDefined();

  supervisor.kill('SIGKILL');

  expect(await waitUntil(() => readIdentity(pid) === undefined, { withinMs: 15_000 })).toBe(true);
  expect(await waitUntil(() => !existsSync(runFile), { withinMs: 5_000 })).toBe(true);
});
