import { randomUUID } from 'node:crypto';
import { closeCall } from '../../src/db/calls/close-call.ts';
import { findEndedCalls } from '../../src/db/calls/read-call-result.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a call counts as ended when it has an end, and a call that ends its job when the job has an end', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const [open, single] = [await given.job(team), await given.job(team)];
  const calls = [
    await insertUnsentCall(gateway.current, team, open),
    await insertUnsentCall(gateway.current, team, single),
  ];
  const ended = async () =>
    new Set(await findEndedCalls(database, { all: [...calls, randomUUID()], recorded: calls.slice(0, 1) }));
  await database.pool.query('update jobs set single_call = true, ends_with_call = true where job_id = $1', [single]);

  const before = await ended();
  for (const call of calls) await closeCall(database, call, 'failed', 'cancelled');
  const between = await ended();
  await settleJob(database, { ...endAsRecorded(single, 'failed', 'cancelled'), credits: 0 });

  expect([before, between, await ended()]).toEqual([new Set(), new Set([calls[0]]), new Set(calls)]);
});

test('a call that was recorded and is not any more counts as ended, because it was retracted', async () => {
  const unrecorded = randomUUID();
  const retracted = randomUUID();

  const ended = await findEndedCalls(gateway.current.deps.database, {
    all: [unrecorded, retracted],
    recorded: [retracted],
  });

  expect(ended).toEqual([retracted]);
});
