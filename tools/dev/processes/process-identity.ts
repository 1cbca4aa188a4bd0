import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of the process with a pid, or undefined when there is none. A pid alone identifies nothing, because pids are reused:
 * a process is ended by its pid only if its start time is still the recorded one.
 */
export function readIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return identityFromProc(pid);
  const listed = spawnSync('ps', ['-o', 'lstart=,state=', '-p', String(pid)], { encoding: 'utf8' });
  const line = listed.stdout?.trim() ?? '';
  return line === '' || /\sZ\S*$/.test(line) ? undefined : line.slice(0, line.lastIndexOf(' ')).trimEnd();
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and brackets: fields are counted from its closing bracket, state first.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty when there is no such process. */
export function readCommand(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
