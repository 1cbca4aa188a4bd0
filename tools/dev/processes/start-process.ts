import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endProcess, type StartedProcess } from './end-process.ts';
import { readIdentity } from './process-identity.ts';
import type { ProcessRecord } from './process-record.ts';

/** How to run one component, for the supervisor of `npm start`, for tests and for the benchmark. */
export type Launch = {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The account to run as, if not our own: PostgreSQL refuses root. */
  user?: { uid: number; gid: number };
  /** The signal that ends it in good order; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** Runs before every start and restart: removes what a dead predecessor left. */
  prepare?: () => Promise<void>;
  ready: () => Promise<boolean>;
  /** Whether the process is alive but only a restart can help it. */
  isStuck?: () => Promise<boolean>;
};

export type RunningProcess = StartedProcess & { exited: Promise<string> };

/**
 * Starts one process in a session of its own: Ctrl-C in the terminal then reaches the supervisor only, which ends the others in order.
 * The output goes directly to the log file, so that the death of the supervisor leaves no broken pipe.
 */
export async function startProcess(launch: Launch, logFile: string, record: ProcessRecord): Promise<RunningProcess> {
  await launch.prepare?.();
  if (record.closed) throw new Error(`${launch.name} is not started: the processes are being stopped`);
  const log = openSync(logFile, 'a', 0o600);
  const child = withPrivateFiles(() =>
    spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: launch.env ?? process.env,
      detached: true,
      stdio: ['ignore', log, log],
      ...launch.user,
    }),
  );
  closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`));
  });
  if (child.pid === undefined) throw new Error(`${launch.name} could not be started: ${await exited}`);
  const stopSignal = launch.stopSignal ?? 'SIGTERM';
  const started = { name: launch.name, pid: child.pid, identity: readIdentity(child.pid) ?? 'gone', stopSignal };
  try {
    record.add(started);
  } catch (error) {
    // The disk is full. A process that is not in the record could not be ended later.
    await endProcess(started, 5_000);
    throw error;
  }
  return { ...started, exited };
}

/**
 * Starts a process whose new files can be read by their owner only: Temporal's database holds data of all teams' jobs. A child inherits
 * the umask that its parent has at this moment.
 */
function withPrivateFiles<Started>(start: () => Started): Started {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}
