import { randomUUID } from 'node:crypto';
import { beat, leave, workerSilenceMs } from '../../src/db/server/worker-heartbeat.ts';
import { watchWorkers } from '../../src/liveness/worker-watch.ts';
import { execute } from '../support/database.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { until } from '../support/until.ts';

const { url, database } = await databaseForTests();

async function watchOneBeat() {
  const workerId = randomUUID();
  const queue = randomUUID();
  const watch = await watchWorkers(database, queue);
  const beatenAt = performance.now();
  await beat(database, workerId, queue);
  await until(() => !watch.isUnavailable());
  return { watch, queue, workerId, beatenAt };
}

test('a worker of which PostgreSQL lost the word in a crash is away when it is silent, and not before', async () => {
  const { watch, beatenAt } = await watchOneBeat();

  await execute(url, 'truncate workers');

  await until(() => watch.isUnavailable());
  // Four beats, less what two clocks may differ.
  expect(performance.now() - beatenAt).toBeGreaterThan(1_900);
  watch.close();
});

test('a worker that leaves is away at once, and another in its place is heard', async () => {
  const { watch, queue, workerId } = await watchOneBeat();

  await leave(database, workerId);

  expect(await workerSilenceMs(database, queue)).toBeGreaterThan(3_600_000);
  await until(() => watch.isUnavailable());
  await beat(database, randomUUID(), queue);
  await until(() => !watch.isUnavailable());
  watch.close();
});
