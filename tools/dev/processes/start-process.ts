import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endProcess, type StartedProcess } from './end-process.ts';
import type { Launch } from './launch.ts';
import { identityOf } from './process-identity.ts';
import type { ProcessRecord } from './process-record.ts';
import { withPrivateFiles } from './with-private-files.ts';

export type RunningProcess = StartedProcess & { exited: Promise<string> };

/**
 * Starts one process in a session of its own, so that Ctrl-C in the terminal reaches us alone and we end the rest in order. Its
 * output goes straight to the log file: a supervisor that dies leaves no broken pipe behind.
 */
export async function startProcess(launch: Launch, logFile: string, record: ProcessRecord): Promise<RunningProcess> {
  await launch.prepare?.();
  if (record.closed) throw new Error(`${launch.name} is not started any more: everything is being ended`);
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
  const started = { name: launch.name, pid: child.pid, identity: identityOf(child.pid) ?? 'gone', stopSignal };
  try {
    record.add(started);
  } catch (error) {
    // The disk is full: a process that nobody could end later is worse than none.
    await endProcess(started, 5_000);
    throw error;
  }
  return { ...started, exited };
}
