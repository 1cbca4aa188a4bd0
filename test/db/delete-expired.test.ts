import { closeCall } from '../../src/db/calls/close-call.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { deleteEndedKeys, deletePayloads } from '../../src/db/maintenance/delete-expired.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('the payload of a call is deleted when it is older than the given days and the call has ended (spec 13.4)', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const givenCall = async (days: number) => {
    const call = await insertUnsentCall(gateway.current, team, job.job_id);
    const created = 'update call_payloads set created_at = now() - make_interval(days => $2) where call_id = $1';
    await database.pool.query(created, [call, days]);
    return call;
  };
  const [old, young, unfinished] = [await givenCall(31), await givenCall(29), await givenCall(31)];
  for (const call of [old, young]) await closeCall(database, call, 'failed', 'the worker was lost');

  expect(await deletePayloads(database, 30, 5_000)).toBe(1);

  const { rows } = await database.pool.query('select call_id from call_payloads');
  expect(rows.map(({ call_id }) => call_id).sort()).toEqual([young, unfinished].sort());
});

test('a key is deleted when it ended before the given days and the upstream has received its end', async () => {
  const { database } = gateway.current.deps;
  const { teamId } = await given.team();
  const ended = `insert into virtual_keys (key_hash, team_id, key_sealed, expires_at, end_sent_upstream)
                 values ($1, $2, '', now() - make_interval(days => $3), $4)`;
  for (const [hash, days, isSent] of [
    ['old', 31, true],
    ['young', 29, true],
    ['unsent', 31, false],
  ])
    await database.pool.query(ended, [hash, teamId, days, isSent]);

  expect(await deleteEndedKeys(database, 30, 5_000)).toBe(1);

  const { rows } = await database.pool.query(
    `select convert_from(key_hash, 'utf8') as name from virtual_keys where team_id = $1 and expires_at is not null order by 1`,
    [teamId],
  );
  expect(rows).toEqual([{ name: 'unsent' }, { name: 'young' }]);
});

test('a stored answer is deleted when it has expired, and not earlier', async () => {
  const { database } = gateway.current.deps;
  await database.pool.query(
    `insert into idempotency_keys (scope, request_hash, operation_id, expires_at)
     values ('over', '', gen_random_uuid(), now()), ('nearly', '', gen_random_uuid(), now() + interval '1 minute')`,
  );

  expect(await deleteExpiredKeys(database, 5_000)).toBe(1);

  const { rows } = await database.pool.query(`select convert_from(scope, 'utf8') as scope from idempotency_keys`);
  expect(rows).toEqual([{ scope: 'nearly' }]);
});
