import type { Print } from '../../tools/dev/print.ts';
import { closedLoop } from '../drive/closed-loop.ts';
import { post } from '../drive/send.ts';
import type { Subject } from '../subject.ts';
import { residentMib } from './cpu-seconds.ts';

export interface Memory {
  calls: number;
  mib: number;
}

const lanes = 32;

/**
 * Resident memory of the subject's processes after each number of calls. Jobs start and end meanwhile, as in a real service: memory grows
 * with open jobs and with the calls of an open job.
 */
export async function measureMemory(
  subject: Subject,
  marks: readonly number[],
  endJobs: () => Promise<unknown>,
  print: Print,
): Promise<Memory[]> {
  const found: Memory[] = [];
  let made = 0;
  for (const calls of marks) {
    while (made < calls) {
      const shots = await subject.prepare(lanes);
      const { calls: more } = await closedLoop(lanes, 10, (lane) => post(subject.url, shots[lane]!));
      made += more;
      await endJobs();
    }
    const mib = Math.round(residentMib(subject.pids));
    found.push({ calls: made, mib });
    print(`  ${mib} MiB after ${made}`);
  }
  return found;
}
