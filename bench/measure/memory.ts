import { closedLoop } from '../drive/closed-loop.ts';
import { post } from '../drive/send.ts';
import type { Subject } from '../subject.ts';
import { residentMib } from './cpu-seconds.ts';

export interface Memory {
  calls: number;
  mib: number;
}

const lanes = 32;

/** Resident memory of the subject's processes after so many calls, and after so many more. */
export async function measureMemory(subject: Subject, marks: readonly number[]): Promise<Memory[]> {
  const found: Memory[] = [];
  let made = 0;
  for (const calls of marks) {
    while (made < calls) {
      // New jobs now and then, as in a service: the calls of one job would only show how large one job can get.
      const shots = await subject.prepare(lanes);
      const { calls: more } = await closedLoop(lanes, 10, (lane) => post(subject.url, shots[lane]!));
      made += more;
    }
    found.push({ calls: made, mib: Math.round(residentMib(subject.pids)) });
  }
  return found;
}
