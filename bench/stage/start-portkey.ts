import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printLine, printWhileRunning } from '../../tools/dev/print.ts';
import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { runProgram } from '../../tools/dev/services/run-program.ts';

const version = '1.15.2';

async function installPortkey(cache: string): Promise<string> {
  const folder = join(cache, `portkey-${version}`);
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await printWhileRunning(printLine, `installing Portkey ${version}`, async () => {
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@portkey-ai/gateway@${version}`];
    const { ok, output } = await runProgram('npm', args, { cwd: folder, timeoutMs: 600_000 });
    if (!ok) throw new Error(`Portkey could not be installed:\n${output}`);
  });
  return program;
}

/** A proxy without records and credentials: the cost of Node.js alone. */
export async function startPortkey(group: ProcessGroup, cache: string): Promise<string> {
  const program = await installPortkey(cache);
  const { url } = await group.start(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      name: 'upstream',
      command: process.execPath,
      args: [program, `--port=${port}`, '--headless'],
      cwd: group.folder,
      env: { ...process.env, NODE_ENV: 'production' },
      ready: async () => (await fetch(url)).ok,
    };
  });
  return url;
}
