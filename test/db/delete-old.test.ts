import { closeCall } from '../../src/db/queries/close-call.ts';
import { deletePayloads } from '../../src/db/queries/delete-old.ts';
import { insertJob } from '../../src/db/queries/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { newJob, recordCall } from '../support/records.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('what was asked and said is forgotten after its days, but not of a call that has not ended', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const givenCall = async (days: number) => {
    const call = await recordCall(gateway.current, team, job.job_id);
    const created = 'update call_payloads set created_at = now() - make_interval(days => $2) where call_id = $1';
    await database.pool.query(created, [call, days]);
    return call;
  };
  const [old, young, underWay] = [await givenCall(31), await givenCall(29), await givenCall(31)];
  for (const call of [old, young]) await closeCall(database, call, 'failed', 'the worker was lost');

  expect(await deletePayloads(database, 30, 5_000)).toBe(1);

  const { rows } = await database.pool.query('select call_id from call_payloads');
  expect(rows.map(({ call_id }) => call_id).sort()).toEqual([young, underWay].sort());
});
