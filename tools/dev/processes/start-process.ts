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
  /** A file that is its standard input. */
  input?: string;
  /** The account to run as, if not our own: PostgreSQL refuses root. */
  user?: { uid: number; gid: number };
  /** The signal that ends it in good order; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** Runs before every start and restart: removes what a dead predecessor left. */
  prepare?: () => Promise<void>;
  ready: () => Promise<boolean>;
  /** Whether the process sends a message when it listens or works: what answers at its address may be another process. */
  announces?: boolean;
};

export type RunningProcess = StartedProcess & {
  exited: Promise<string>;
  /** Whether the process has sent its message, if its launch says that it sends one. */
  hasAnnounced: () => boolean;
};

/**
 * Starts one process in a session of its own: Ctrl-C in the terminal then reaches the supervisor only, which ends the others in order.
 * The output goes directly to the log file, so that the death of the supervisor leaves no broken pipe.
 */
export async function startProcess(launch: Launch, logFile: string, record: ProcessRecord): Promise<RunningProcess> {
  await launch.prepare?.();
  if (record.closed) throw new Error(`${launch.name} is not started: the processes are being stopped`);
  const input = launch.input === undefined ? undefined : openSync(launch.input, 'r');
  const log = openSync(logFile, 'a', 0o600);
  const child = withPrivateFiles(() =>
    spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: launch.env ?? process.env,
      detached: true,
      stdio: [input ?? 'ignore', log, log, ...(launch.announces ? (['ipc'] as const) : [])],
      ...launch.user,
    }),
  );
  for (const opened of [input, log]) if (opened !== undefined) closeSync(opened);
  let hasAnnounced = !launch.announces;
  // The channel would keep this process alive.
  child.channel?.unref();
  child.once('message', () => {
    hasAnnounced = true;
    child.disconnect();
  });
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
  return { ...started, exited, hasAnnounced: () => hasAnnounced };
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
