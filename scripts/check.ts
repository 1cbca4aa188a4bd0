import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `npm run check`: all checks that need no services, at the same time. */
const checks: Record<string, string[]> = {
  'format and lint': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  types: ['node_modules/typescript/bin/tsc', '--project', '.'],
  'types of the console': ['node_modules/typescript/bin/tsc', '--project', 'console'],
  'unused code': ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  architecture: ['node_modules/jest/bin/jest.js', 'test/architecture'],
};

/** Needs the registry. It is skipped where the registry does not answer until the other checks have ended, and a second more. */
const audit = ['scripts/audit-packages.ts'];
const auditGraceMs = 1_000;
const inconclusive = 75;

const start = (args: string[]): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function report(name: string, child: ChildProcess): Promise<boolean> {
  const startedAt = performance.now();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, ...outputs] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
  const outcome = code === 0 ? 'ok    ' : code === inconclusive ? 'skipped' : 'FAILED';
  const output = outputs.join('').trim();
  const reason = code === inconclusive ? `: ${output || 'the registry did not answer in time'}` : '';
  console.log(`${outcome}  ${name} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)${reason}`);
  if (code !== 0 && code !== inconclusive) console.log(`\n${output}\n`);
  return code === 0 || code === inconclusive;
}

const auditing = start(audit);
const audited = report('known vulnerabilities', auditing);
const outcomes = await Promise.all(Object.entries(checks).map(([name, args]) => report(name, start(args))));
const timer = setTimeout(() => auditing.kill('SIGTERM'), auditGraceMs);
outcomes.push(await audited);
clearTimeout(timer);
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
