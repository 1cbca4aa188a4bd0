import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../../test/cluster/support/cluster.ts';
import { hosts } from '../../test/cluster/support/server-config.ts';
import { cacheFolder } from '../../tools/dev/folders.ts';
import type { Print } from '../../tools/dev/print.ts';
import { openProcessGroup, type ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { closedLoop } from '../drive/closed-loop.ts';
import { closeDriver, post } from '../drive/send.ts';
import { median, quantile } from '../drive/statistics.ts';
import { cpuSeconds } from '../measure/cpu-seconds.ts';
import { startGateway } from '../stage/start-gateway.ts';
import { startServices } from '../stage/start-services.ts';
import { createTeam, llmCall } from '../stage/team.ts';

/** Calls at once. The first is far below what two cores can do, the last above it. */
const lanesOf = [4, 16, 64];

/** PostgreSQL has a process for each connection. */
const withChildren = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number),
];

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** A process of PostgreSQL's that has ended meanwhile has used next to nothing. */
const cpuSecondsOfAll = (pids: readonly number[]): number =>
  pids.reduce((total, pid) => total + (parentOf(String(pid)) === undefined ? 0 : cpuSeconds([pid])), 0);

/** Calls of running jobs on a Temporal cluster with each number of workers. Returns the table of the figures. */
export async function measureCluster(workers: number[], seconds: number, print: Print): Promise<string> {
  const cluster = await openCluster();
  try {
    const rows: string[] = [];
    for (const count of workers) {
      print(`${count} workers`);
      rows.push(...(await measureWorkers(cluster, count, seconds, print)));
    }
    const head =
      '| workers | calls at once | calls/s | failed | p50, p99 ms | cores: api, workers, Temporal, its PostgreSQL, PostgreSQL, Redis | all |';
    return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n');
  } finally {
    await cluster.close();
    await closeDriver();
  }
}

async function measureWorkers(cluster: Cluster, count: number, seconds: number, print: Print): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-bench-'));
  const [servicesGroup, gatewayGroup] = ['services', 'gateway'].map((name) => openProcessGroup(join(folder, name))) as [
    ProcessGroup,
    ProcessGroup,
  ];
  try {
    const services = await startServices(servicesGroup, cacheFolder(folder), { temporalAddress: cluster.address });
    const names = Array.from({ length: count }, (_, index) => `worker-${index}`);
    const queue = { TEMPORAL_TASK_QUEUE: `bench-cluster-${count}` };
    const gateway = await startGateway(gatewayGroup, services, queue, names);
    const team = await createTeam(gateway);
    const parts: Record<string, () => number[]> = {
      api: () => [gatewayGroup.pidOf('api')],
      workers: () => names.map((name) => gatewayGroup.pidOf(name)),
      temporal: () => hosts.flatMap((host) => cluster.roles.map((role) => cluster.pid(role, host))),
      temporalPostgres: () => withChildren(cluster.postgresPid),
      postgres: () => withChildren(servicesGroup.pidOf('postgres')),
      redis: () => [servicesGroup.pidOf('redis')],
    };
    const subject = llmCall(gateway, team, []);
    const rows: string[] = [];
    for (const lanes of lanesOf) {
      const shots = await subject.prepare(lanes);
      const pids = Object.values(parts).map((read) => read());
      const before = pids.map(cpuSecondsOfAll);
      const latencies: number[] = [];
      const { perSecond, failures } = await closedLoop(lanes, seconds, async (lane) => {
        const startedAt = performance.now();
        await post(subject.url, shots[lane]!);
        latencies.push(performance.now() - startedAt);
      });
      if (failures[0]) console.error(`  ${failures.length} failed, first: ${failures[0].message}`);
      const cores = pids.map((each, index) => (cpuSecondsOfAll(each) - before[index]!) / seconds);
      const all = cores.reduce((sum, one) => sum + one, 0);
      const times = [median(latencies), quantile(latencies, 0.99)].map(Math.round).join(', ');
      const used = cores.map((one) => one.toFixed(2)).join(', ');
      const row = `| ${count} | ${lanes} | ${Math.round(perSecond)} | ${failures.length} | ${times} | ${used} | ${all.toFixed(2)} |`;
      print(row);
      rows.push(row);
    }
    await team.completeJobs();
    return rows;
  } finally {
    await gatewayGroup.end();
    await servicesGroup.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
