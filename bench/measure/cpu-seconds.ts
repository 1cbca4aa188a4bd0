import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system time of these processes with all their threads. Linux only, because it reads `/proc`. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((total, pid) => {
    // The name, in brackets, may contain spaces; user and system time are the 12th and 13th after it.
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
    return total + (Number(user) + Number(system)) / ticksPerSecond;
  }, 0);

/** Resident memory, in MiB. */
export const residentMib = (pids: readonly number[]): number =>
  pids.reduce((total, pid) => {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return total + Number(kib) / 1_024;
  }, 0);
