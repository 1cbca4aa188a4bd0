import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { readAudit } from './audit-report.ts';

/**
 * Asks the registry for known vulnerabilities of the packages that production runs with. Exits with 1 when it knows of a high or
 * critical one, and with 75 when it cannot tell: without a network, or behind a mirror that does not answer this.
 */
const args = ['audit', '--json', '--omit=dev', '--audit-level=high', '--fetch-retries=0', '--fetch-timeout=20000'];
const own = process.env.npm_execpath;
const [command, parameters] = own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];

const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'ignore'] });
// Without it the program ends by itself, because nothing is left to wait for.
child.once('error', () => process.exit(75));
process.once('SIGTERM', () => child.kill('SIGKILL') && process.exit(75));
const { exitCode, lines } = readAudit(await text(child.stdout));
console.log(lines.join('\n'));
process.exit(exitCode);
