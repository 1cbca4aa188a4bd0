import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `npm run check`: what can be said of the source without running it. No services, and all at once. */
const checks: Record<string, string[]> = {
  'format and lint': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  types: ['node_modules/typescript/bin/tsc', '--project', '.'],
  'unused code': ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  architecture: ['node_modules/jest/bin/jest.js', 'test/architecture'],
};

/** Needs the registry, and is skipped where that does not answer by the time the others are done. */
const audit = ['scripts/audit-packages.ts'];
const auditMayTakeMs = 1_000;
const couldNotTell = 75;

const start = (args: string[]): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function report(name: string, child: ChildProcess): Promise<boolean> {
  const began = performance.now();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, ...said] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
  const outcome = code === 0 ? 'ok    ' : code === couldNotTell ? 'skipped' : 'FAILED';
  const shown = said.join('').trim();
  const why = code === couldNotTell ? `: ${shown || 'the registry did not answer in time'}` : '';
  console.log(`${outcome}  ${name} (${((performance.now() - began) / 1_000).toFixed(1)} s)${why}`);
  if (code !== 0 && code !== couldNotTell) console.log(`\n${shown}\n`);
  return code === 0 || code === couldNotTell;
}

const auditing = start(audit);
const audited = report('known vulnerabilities', auditing);
const outcomes = await Promise.all(Object.entries(checks).map(([name, args]) => report(name, start(args))));
const timer = setTimeout(() => auditing.kill('SIGTERM'), auditMayTakeMs);
outcomes.push(await audited);
clearTimeout(timer);
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
