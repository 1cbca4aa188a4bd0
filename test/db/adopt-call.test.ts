import { randomBytes } from 'node:crypto';
import { adoptAbandonedCall, insertAbandonedCall } from '../../src/db/calls/abandoned-calls.ts';
import { admitCallToJob } from '../../src/db/calls/admit-call-to-job.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { newCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);

interface Requested {
  team: GivenTeam;
  fingerprint: Buffer;
}

const givenRequest = async (): Promise<Requested> => ({ team: await given.team(), fingerprint: randomBytes(32) });

/** A call of the request, whose client waits for it. */
async function awaitedCall({ team, fingerprint }: Requested): Promise<string> {
  const { database } = gateway.current.deps;
  const job = newJob(team);
  await insertJob(database, job);
  const call = { ...newCall(gateway.current, team), job_id: job.job_id, fingerprint };
  await admitCallToJob(database, call);
  return call.call_id;
}

async function abandonedCall(request: Requested): Promise<string> {
  const call = await awaitedCall(request);
  await insertAbandonedCall(gateway.current.deps.database, call);
  return call;
}

/** A call whose process died before its client had an answer. */
async function orphanedCall(request: Requested): Promise<string> {
  const call = await awaitedCall(request);
  await sql(`update call_payloads set awaited_by = 'a process that is gone' where call_id = $1`, [call]);
  return call;
}

async function adopt({ team, fingerprint }: Requested, fingerprints = [fingerprint]): Promise<string | null> {
  const { database } = gateway.current.deps;
  const { key } = newCall(gateway.current, team);
  return (await adoptAbandonedCall(database, team.teamId, key, fingerprints)).call_id;
}

const end = `update calls set status = 'succeeded', finished_at = now(), recorded_at = now() where call_id = $1`;
const hold = `select from abandoned_calls where call_id = any ($1) for update`;

describe.each([
  ['that was abandoned', abandonedCall],
  ['whose process is gone', orphanedCall],
])('a call %s', (_, givenCall) => {
  test('is adopted once', async () => {
    const request = await givenRequest();
    const call = await givenCall(request);

    const adopted = [await adopt(request), await adopt(request)];

    expect(adopted).toEqual([call, null]);
  });

  test('is adopted by one of two requests at once', async () => {
    const request = await givenRequest();
    const call = await givenCall(request);

    const adopted = await Promise.all([adopt(request), adopt(request)]);

    expect(adopted.toSorted()).toEqual([call, null].toSorted());
  });

  test('is adopted while its end is not committed, without waiting for it, and after it', async () => {
    const request = await givenRequest();
    const calls = [await givenCall(request), await givenCall(request)];
    const ending = { sql: end.replace('= $1', '= any ($1)'), values: [calls], waiting: 0 };

    const during = await besideUncommitted(gateway.current, ending, () => adopt(request));
    const after = await adopt(request);

    expect([during, after].toSorted()).toEqual(calls.toSorted());
  });

  test('is adopted again when the client that adopted it has left too', async () => {
    const request = await givenRequest();
    const call = await givenCall(request);
    await adopt(request);

    await insertAbandonedCall(gateway.current.deps.database, call);

    expect(await adopt(request)).toBe(call);
  });

  test('is found under the fingerprint of each valid MASTER_KEY', async () => {
    const request = await givenRequest();
    const call = await givenCall(request);

    expect(await adopt(request, [randomBytes(32)])).toBeNull();
    expect(await adopt(request, [randomBytes(32), request.fingerprint])).toBe(call);
  });

  test('is not adopted by another team, nor when it was refused, nor after 15 minutes', async () => {
    const request = await givenRequest();
    const [refused, old] = [await givenCall(request), await givenCall(request)];
    await sql(`update calls set status = 'refused', error = 'completed', finished_at = now() where call_id = $1`, [
      refused,
    ]);
    await sql(`update calls set created_at = now() - interval '16 minutes' where call_id = $1`, [old]);

    expect(await adopt(request)).toBeNull();
    expect(await adopt({ ...(await givenRequest()), fingerprint: request.fingerprint })).toBeNull();
  });
});

test('of two requests that wait for the same locked abandoned call, one adopts it and the other adopts the next abandoned call', async () => {
  const request = await givenRequest();
  const calls = [await abandonedCall(request), await abandonedCall(request)];
  const both = () => Promise.all([adopt(request), adopt(request)]);

  const adopted = await besideUncommitted(gateway.current, { sql: hold, values: [calls], waiting: 2 }, both);

  expect(adopted.toSorted()).toEqual(calls.toSorted());
});

test('a request that waits for another adopter of the call of a process that is gone adopts nothing', async () => {
  const request = await givenRequest();
  const call = await orphanedCall(request);
  const adoption = 'insert into abandoned_calls (call_id, adopted) values ($1, true)';
  const other = { sql: adoption, values: [call], waiting: 1 };

  expect(await besideUncommitted(gateway.current, other, () => adopt(request))).toBeNull();
});

test('a call whose client still waits at a living process is not adopted', async () => {
  const request = await givenRequest();
  await awaitedCall(request);

  expect(await adopt(request)).toBeNull();
});

test('a call of a process that is gone is not adopted when it ended some time ago: its client has its answer', async () => {
  const request = await givenRequest();
  const call = await orphanedCall(request);
  await sql(end.replaceAll('now()', `now() - interval '40 seconds'`), [call]);

  expect(await adopt(request)).toBeNull();
});

test('an abandoned call is adopted before calls whose process is gone, and of these the newest is adopted first', async () => {
  const request = await givenRequest();
  const [older, newer] = [await orphanedCall(request), await orphanedCall(request)];
  await sql(`update calls set created_at = created_at - interval '1 minute' where call_id = $1`, [older]);
  const abandoned = await abandonedCall(request);

  expect([await adopt(request), await adopt(request), await adopt(request)]).toEqual([abandoned, newer, older]);
});
