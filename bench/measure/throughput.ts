import { closedLoop } from '../drive/closed-loop.ts';
import { post } from '../drive/send.ts';
import type { Subject } from '../subject.ts';
import { cpuSeconds } from './cpu-seconds.ts';

export interface Throughput {
  perSecond: number;
  cpuMsPerCall: number;
  failures: number;
}

export async function measureThroughput(subject: Subject, lanes: number, seconds: number): Promise<Throughput> {
  const shots = await subject.prepare(lanes);
  const cpuBefore = cpuSeconds(subject.pids);
  const { perSecond, calls, failures } = await closedLoop(lanes, seconds, (lane) => post(subject.url, shots[lane]!));
  if (failures[0]) console.error(`  ${subject.name}: ${failures.length} failed, first: ${failures[0].message}`);
  const cpuMsPerCall = ((cpuSeconds(subject.pids) - cpuBefore) * 1_000) / calls;
  return { perSecond, cpuMsPerCall, failures: failures.length };
}
