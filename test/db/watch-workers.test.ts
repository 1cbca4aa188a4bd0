import { randomUUID } from 'node:crypto';
import { watchWorkers } from '../../src/db/workers/watch-workers.ts';
import { endHeartbeat, workerSilenceMs, writeHeartbeat } from '../../src/db/workers/worker-heartbeat.ts';
import { execute } from '../support/database.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { until } from '../support/until.ts';

const { url, database } = await databaseForTests();

async function watchOneHeartbeat() {
  const workerId = randomUUID();
  const queue = randomUUID();
  const watch = await watchWorkers(database, queue);
  const writtenAt = performance.now();
  await writeHeartbeat(database, workerId, queue);
  await until(() => !watch.isUnavailable());
  return { watch, queue, workerId, writtenAt };
}

test('a worker whose heartbeat PostgreSQL lost in a crash is unavailable after four missed heartbeats, and not before', async () => {
  const { watch, writtenAt } = await watchOneHeartbeat();

  await execute(url, 'truncate workers');

  await until(() => watch.isUnavailable());
  // Four heartbeats, less the difference of two clocks.
  expect(performance.now() - writtenAt).toBeGreaterThan(1_900);
  watch.close();
});

test('a worker that shuts down is unavailable at once, and its successor is available with its first heartbeat', async () => {
  const { watch, queue, workerId } = await watchOneHeartbeat();

  await endHeartbeat(database, workerId);

  expect(await workerSilenceMs(database, queue)).toBeGreaterThan(3_600_000);
  await until(() => watch.isUnavailable());
  await writeHeartbeat(database, randomUUID(), queue);
  await until(() => !watch.isUnavailable());
  watch.close();
});
