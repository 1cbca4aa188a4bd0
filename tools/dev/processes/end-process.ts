import { readIdentity } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

/** A process that was started, in a form that is stored on disk and so outlives the supervisor. */
export type StartedProcess = { name: string; pid: number; identity: string; stopSignal: NodeJS.Signals };

const isAlive = (started: StartedProcess): boolean => readIdentity(started.pid) === started.identity;

/** Sends the stop signal, waits, and kills the process with its process group if it has not ended within the grace period. */
export async function endProcess(started: StartedProcess, graceMs: number): Promise<void> {
  if (!isAlive(started)) return;
  send(started.pid, started.stopSignal);
  // A stopped process (SIGSTOP) handles the signal only after it continues.
  send(started.pid, 'SIGCONT');
  if (await waitUntil(() => !isAlive(started), { withinMs: graceMs })) return;
  send(-started.pid, 'SIGKILL');
  send(started.pid, 'SIGKILL');
  await waitUntil(() => !isAlive(started), { withinMs: 2_000 });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is gone already.
  }
}
