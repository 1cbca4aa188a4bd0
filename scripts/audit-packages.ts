import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { readAudit } from './audit-report.ts';

/**
 * Queries the registry for known vulnerabilities of the packages that production uses. Exits with 1 when there is a high or critical one,
 * and with 75 when the query fails: without a network, or with a registry mirror that does not support it.
 */
const args = [
  'audit',
  '--json',
  '--omit=dev',
  '--omit=optional',
  '--audit-level=high',
  '--fetch-retries=0',
  '--fetch-timeout=20000',
];
const own = process.env.npm_execpath;
const [command, parameters] = own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];

const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'ignore'] });
// Without this exit code the program would end with 0, because nothing is pending.
child.once('error', () => process.exit(75));
process.once('SIGTERM', () => child.kill('SIGKILL') && process.exit(75));
const { exitCode, lines } = readAudit(await text(child.stdout));
console.log(lines.join('\n'));
process.exit(exitCode);
