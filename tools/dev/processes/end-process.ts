import { identityOf } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

/** A process that we started, in a form that can be kept on disk and outlives us. */
export type StartedProcess = { name: string; pid: number; identity: string; stopSignal: NodeJS.Signals };

const isAlive = (started: StartedProcess): boolean => identityOf(started.pid) === started.identity;

/** Asks the process to end, waits, and kills it (with its process group) if it has not ended in time. */
export async function endProcess(started: StartedProcess, graceMs: number): Promise<void> {
  if (!isAlive(started)) return;
  send(started.pid, started.stopSignal);
  // A stopped process (SIGSTOP) does not see the signal until it goes on.
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
