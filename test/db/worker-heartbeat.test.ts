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

test('a worker is alone while no other worker of its task queue has a heartbeat', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const beat = (worker: string, queue = 'shared') => writeHeartbeat(database, worker, queue);

  expect(await beat(first)).toBe(true);
  expect(await beat(randomUUID(), 'elsewhere')).toBe(true);
  expect(await beat(second)).toBe(false);
  expect(await beat(first)).toBe(false);
  await endHeartbeat(database, second);
  expect(await beat(first)).toBe(true);
  expect(await beat(second)).toBe(false);
});
