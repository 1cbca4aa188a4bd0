import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `npm run check`: what can be said of the source without running it. No services, and all at once. */
const checks: Record<string, string[]> = {
  'format and lint': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  types: ['node_modules/typescript/bin/tsc', '--project', '.'],
  'unused code': ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  architecture: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'test/architecture'],
};

async function runCheck([name, args]: [string, string[]]): Promise<boolean> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, ...said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  if (code !== 0) console.log(`\n${said.join('').trim()}\n`);
  return code === 0;
}

const outcomes = await Promise.all(Object.entries(checks).map(runCheck));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
