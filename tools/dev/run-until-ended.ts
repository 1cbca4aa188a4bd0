import { readSettings, withSecretFiles } from '../../src/config/read-settings.ts';
import { GivenSettings } from '../../src/config.ts';
import { keepOwnSettings } from './own-settings.ts';
import { printLine } from './print.ts';
import type { Supervisor } from './supervisor.ts';

/**
 * Starts what `npm start`, `npm run dev` and `npm run services` start, and ends it in the order of the supervisors: on Ctrl-C, SIGTERM, a
 * closed terminal, when npm was killed, or when the start fails. `start` may add supervisors.
 */
export async function runUntilEnded(start: (supervisors: Supervisor[]) => Promise<void>): Promise<void> {
  const supervisors: Supervisor[] = [];
  const endAll = async () => {
    for (const supervisor of supervisors) await supervisor.end();
  };
  const ending = endOnSignal(endAll);
  try {
    useSecretFiles();
    keepOwnSettings(process.env);
    readSettings(GivenSettings, process.env);
    await start(supervisors);
  } catch (error) {
    // A start that is interrupted fails for that reason, and `endOnSignal` prints the message.
    if (ending.hasBegun()) return;
    console.error(`\n${(error as Error).message}`);
    await endAll();
    process.exit(1);
  }
}

/** A secret in a file counts as configured, and reaches the processes as a variable. */
function useSecretFiles(): void {
  const { present, problems } = withSecretFiles(process.env);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const name of Object.keys(present)) delete process.env[`${name}_FILE`];
  Object.assign(process.env, present);
}

/** Ends everything once, however many of the signals arrive. */
function endOnSignal(endAll: () => Promise<void>): { hasBegun(): boolean } {
  let endingSince: number | undefined;
  const end = async (reason: string) => {
    if (endingSince !== undefined) {
      // Ctrl-C arrives twice: from the terminal, and forwarded by npm.
      if (performance.now() - endingSince > 1_000) printLine('Still ending …');
      return;
    }
    endingSince = performance.now();
    printLine(`${reason}: ending everything that was started here …`);
    await endAll();
    printLine('All ended.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal));
  // The reader of the output may exit first.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (process.env.npm_lifecycle_event) endWithParent(() => void end('npm has exited'));
  return { hasBegun: () => endingSince !== undefined };
}

function endWithParent(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 1_000);
}
