import { openInstallation } from '../faults/support/installation.ts';
import { RetryingClient } from '../faults/support/retrying-client.ts';
import { somePrompt } from '../faults/support/workload.ts';
import { givenIn } from '../support/given.ts';
import { openCluster } from './support/cluster.ts';
import { hosts } from './support/server-config.ts';
import { pinned, previousMinor } from './support/server-programs.ts';
import { startWatchedLoad } from './support/watched-load.ts';

const openJobs = 20;
const refusedWithinMs = 3_200;
const recoveredWithinMs = 30_000;

test(`Temporal is upgraded from ${previousMinor} to ${pinned} one process at a time: open jobs go on and are charged once, and nothing is lost (operations 4.2)`, async () => {
  await using closing = new AsyncDisposableStack();
  const cluster = await openCluster({ version: previousMinor });
  closing.defer(() => cluster.close());
  const installation = await openInstallation({
    apis: 2,
    workers: 2,
    settings: { TEMPORAL_ADDRESS: cluster.address, TEMPORAL_NAMESPACE: cluster.namespace },
  });
  closing.defer(() => installation.close());
  const { checker } = installation;
  const given = givenIn({ current: installation });
  const team = await given.team({ credits: 100, models: ['sim-echo'] });
  const client = new RetryingClient(installation, team);
  checker.watch();
  const jobs = await Promise.all(Array.from({ length: openJobs }, () => client.createJob()));
  for (const job of jobs) await client.call(job, somePrompt());
  await using load = await startWatchedLoad(installation);
  await load.turns(12);
  expect(await versions()).toEqual([previousMinor]);

  await cluster.upgradeTo(pinned);
  let slowestMs = 0;
  for (const role of cluster.roles) {
    for (const host of hosts) {
      const endedAt = Date.now();
      await cluster.end(role, host, 'SIGTERM');
      await cluster.start(role, host);
      await load.turns(20);
      slowestMs = Math.max(slowestMs, load.recoveredAfterMs(endedAt));
    }
  }
  await load.stop();
  expect(await versions()).toEqual([pinned]);
  for (const job of jobs) expect(await client.call(job, somePrompt())).not.toBeNull();
  await Promise.all(jobs.map((job) => client.complete(job)));

  expect(await checker.conclude()).toEqual([]);
  const { credits_used } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
  expect(credits_used).toBe(openJobs);
  process.stderr.write(`upgrade: ${JSON.stringify({ statuses: load.client.statuses, slowestMs })}\n`);
  expect(Math.max(0, ...load.client.refusals)).toBeLessThan(refusedWithinMs);
  expect(slowestMs).toBeLessThan(recoveredWithinMs);

  /** The versions that the frontends report. */
  async function versions(): Promise<string[]> {
    const system = await installation.temporal.workflowService.getClusterInfo({});
    return [...new Set([system.serverVersion])];
  }
}, 900_000);
