import { randomUUID } from 'node:crypto';
import { endHeartbeat, workerSilenceMs, writeHeartbeat } from '../../src/db/workers/worker-heartbeat.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests();

test('a heartbeat counts for its own task queue only, and not after the worker has ended it', async () => {
  const worker = randomUUID();
  await writeHeartbeat(database, worker, 'jobs');
  const silences = [await workerSilenceMs(database, 'jobs'), await workerSilenceMs(database, 'others')];
  await endHeartbeat(database, worker);
  await writeHeartbeat(database, worker, 'jobs');

  expect(silences).toEqual([expect.any(Number), null]);
  expect(silences[0]).toBeLessThan(10_000);
  expect(await workerSilenceMs(database, 'jobs')).toBeGreaterThan(86_400_000);
});
