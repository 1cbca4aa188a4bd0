import { installationForTests } from '../faults/support/installation.ts';
import { seededRandom } from '../support/random.ts';
import { hosts, roles } from './support/server-config.ts';
import { theCluster } from './support/shared-cluster.ts';
import { startWatchedLoad } from './support/watched-load.ts';

const refusedWithinMs = 3_200;
const recoveredWithinMs = 30_000;
const turnsBetween = 40;

const installation = installationForTests({ apis: 2, workers: 2 });

test.each(roles)(
  'when the process %s of one host of the Temporal cluster is killed, calls go on within 30 s, refusals take at most 3 s, and nothing is lost or charged twice (operations 4.2)',
  async (role) => {
    const { checker } = installation.current;
    const host = seededRandom(jest.getSeed(), role).pick(hosts);
    checker.watch();
    await using load = await startWatchedLoad(installation.current);
    await load.turns(12);

    const killedAt = Date.now();
    await theCluster().end(role, host, 'SIGKILL');
    await load.turns(turnsBetween);
    await theCluster().start(role, host);
    await load.turns(turnsBetween);
    await load.stop();

    expect(await checker.conclude()).toEqual([]);
    const { statuses, refusals } = load.client;
    const recoveredAfterMs = load.recoveredAfterMs(killedAt);
    process.stderr.write(`${role} killed: ${JSON.stringify({ statuses, recoveredAfterMs })}\n`);
    expect(Math.max(0, ...refusals)).toBeLessThan(refusedWithinMs);
    expect(recoveredAfterMs).toBeLessThan(recoveredWithinMs);
  },
  240_000,
);

test('while the frontends of the Temporal cluster are restarted one after the other, no request is refused and nothing is lost (operations 4.2)', async () => {
  const { checker } = installation.current;
  checker.watch();
  await using load = await startWatchedLoad(installation.current);
  await load.turns(12);

  for (const host of hosts) {
    await theCluster().end('frontend', host, 'SIGTERM');
    await load.turns(12);
    await theCluster().start('frontend', host);
    await load.turns(12);
  }
  await load.stop();

  expect(await checker.conclude()).toEqual([]);
  expect(Object.keys(load.client.statuses)).toEqual(['200']);
}, 240_000);
