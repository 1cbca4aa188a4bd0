import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { type RollUpOptions, rollUpCalls } from '../../src/db/maintenance/roll-up-calls.ts';
import { databaseTime } from '../../src/db/sql/database-clock.ts';
import { latencyBuckets } from '../../src/domain/latency-histogram.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { checkLedger } from '../support/ledger.ts';
import { givenTeamWithJob, insertRecordedCall } from '../support/recorded-calls.ts';
import { until } from '../support/until.ts';

const { database } = await databaseForTests({ poolSize: 8 });
const { pool } = database;

/**
 * Without the margin, so that only open transactions hold a call back. Times are recorded in milliseconds, and a call of the present
 * one waits for a later round: so this waits for the next one.
 */
async function round(options: RollUpOptions = {}): Promise<number> {
  const now = async () => (await databaseTime(database)).getTime();
  const present = await now();
  await until(async () => (await now()) > present + 1);
  return rollUpCalls(database, () => undefined, { settledAfterMs: 0, ...options });
}

const callsOf = async (team: string): Promise<number> =>
  (await pool.query('select coalesce(sum(calls), 0)::int as calls from hourly_calls where team_id = $1', [team]))
    .rows[0].calls;

const completeUntil = async (): Promise<Date> =>
  (await pool.query(`select done_until from sweep_cursors where name = 'hourly calls'`)).rows[0].done_until;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The counts of calls that all took about as long. */
const histogram = (bucket: number, calls = 1) =>
  Array.from({ length: latencyBuckets }, (_, index) => (index === bucket ? calls : 0));

test('calls are added to the hour of their end by model, outcome and latency, and the requests to each model beside them', async () => {
  const given = await givenTeamWithJob(pool);
  const at = { finished_at: new Date('2026-01-31T09:59:59.999Z') };
  await insertRecordedCall(pool, given, { ...at, models: ['primary', 'fallback'], tokens: 10, cost_usd: '0.1' });
  await insertRecordedCall(pool, given, { ...at, models: ['primary'], latency_ms: 400_000, cost_usd: '0.0000001' });
  await insertRecordedCall(pool, given, { ...at, models: ['primary'], status: 'failed', failure: 'timeout' });
  await insertRecordedCall(pool, given, { ...at, models: [], status: 'failed', failure: null, error: 'cancelled' });
  await insertRecordedCall(pool, given, { ...at, models: [], status: 'failed', failure: null, error: 'lost' });
  await insertRecordedCall(pool, given, { ...at, models: ['primary'], model_group: null });
  await insertRecordedCall(pool, given, { ...at, models: ['primary'], model_group: null });

  const added = await round();

  expect(added).toBe(7);
  const { rows } = await pool.query(
    `select hour, model_group, model, outcome, calls, fallbacks, tokens::int, cost_usd::text, latency from hourly_calls
      where team_id = $1 order by model_group, model, outcome`,
    [given.team],
  );
  const row = { hour: new Date('2026-01-31T09:00:00Z'), model_group: 'chat', calls: 1, fallbacks: 0, tokens: 7 };
  const usual = { cost_usd: '0.001', latency: histogram(6) };
  expect(rows).toEqual([
    { ...row, ...usual, model: 'fallback', outcome: 'succeeded', fallbacks: 1, tokens: 10, cost_usd: '0.1' },
    { ...row, ...usual, model: 'gpt', outcome: 'cancelled' },
    { ...row, ...usual, model: 'gpt', outcome: 'interrupted' },
    { ...row, model: 'primary', outcome: 'succeeded', cost_usd: '0.0000001', latency: histogram(latencyBuckets - 1) },
    { ...row, ...usual, model: 'primary', outcome: 'timeout' },
    {
      ...row,
      model_group: null,
      model: 'primary',
      outcome: 'succeeded',
      calls: 2,
      tokens: 14,
      cost_usd: '0.002',
      latency: histogram(6, 2),
    },
  ]);
  const attempts = await pool.query(
    'select model, model_group, outcome, attempts from hourly_attempts order by model, model_group, outcome',
  );
  expect(attempts.rows).toEqual([
    { model: 'fallback', model_group: 'chat', outcome: 'succeeded', attempts: 1 },
    { model: 'primary', model_group: 'chat', outcome: 'failed', attempts: 2 },
    { model: 'primary', model_group: 'chat', outcome: 'succeeded', attempts: 1 },
    { model: 'primary', model_group: null, outcome: 'succeeded', attempts: 2 },
  ]);
});

test('a call is added once, however many rounds run one after the other and at once (spec 19.41)', async () => {
  const given = await givenTeamWithJob(pool);
  for (let call = 0; call < 20; call += 1) await insertRecordedCall(pool, given);

  const atOnce = await Promise.all(Array.from({ length: 6 }, () => round({ callsAtOnce: 3 })));
  await round();
  await insertRecordedCall(pool, given);
  await round();

  expect(atOnce.reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(20);
  expect(await callsOf(given.team)).toBe(21);
});

test('a round that fails after its statement has begun adds nothing, and the next round adds everything', async () => {
  const given = await givenTeamWithJob(pool);
  await insertRecordedCall(pool, given);
  await pool.query(`
    create function refuse_sums() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger refuse_sums before insert on hourly_attempts for each row execute function refuse_sums()`);
  const before = await completeUntil();

  await expect(round()).rejects.toThrow('killed');

  expect(await callsOf(given.team)).toBe(0);
  expect(await completeUntil()).toEqual(before);
  await pool.query('drop function refuse_sums cascade');
  await round();
  expect(await callsOf(given.team)).toBe(1);
});

test('more calls of one millisecond than fit into a statement are added together', async () => {
  const given = await givenTeamWithJob(pool);
  const recorded_at = await completeUntil();
  for (let call = 0; call < 7; call += 1) await insertRecordedCall(pool, given, { recorded_at });

  const added = await round({ callsAtOnce: 2 });

  expect(added).toBe(7);
  expect(await callsOf(given.team)).toBe(7);
});

test('a call whose transaction is still open is not passed over: it is added after its commit (spec 19.41)', async () => {
  const given = await givenTeamWithJob(pool);
  const [held, later] = [await pool.connect(), await pool.connect()];
  await held.query('begin');
  await insertRecordedCall(held, given);
  const began = (await held.query('select now() as now')).rows[0].now;
  await insertRecordedCall(later, given);

  await round();
  const meanwhile = { calls: await callsOf(given.team), until: await completeUntil() };
  await held.query('commit');
  held.release();
  later.release();
  await round();

  expect(meanwhile.calls).toBe(0);
  expect(meanwhile.until.getTime()).toBeLessThanOrEqual(began.getTime());
  expect(await callsOf(given.team)).toBe(2);
});

test('a call that is recorded long after its end is added to the hour of its end (spec 19.41)', async () => {
  const given = await givenTeamWithJob(pool);
  await round();
  await insertRecordedCall(pool, given, { finished_at: '2026-01-30T08:15:00Z' });

  await round();

  const { rows } = await pool.query('select hour, calls from hourly_calls where team_id = $1', [given.team]);
  expect(rows).toEqual([{ hour: new Date('2026-01-30T08:00:00Z'), calls: 1 }]);
});

test('a call of the last ten seconds waits for a later round', async () => {
  const given = await givenTeamWithJob(pool);
  await pool.query(`update sweep_cursors set done_until = now() - interval '1 hour' where name = 'hourly calls'`);
  await insertRecordedCall(pool, given, { recorded_at: minutesAgo(30) });
  await insertRecordedCall(pool, given, { recorded_at: new Date(Date.now() + 3_600_000) });

  await rollUpCalls(database, () => undefined);

  expect(await callsOf(given.team)).toBe(1);
});

test('the index for the sums costs the start of a call nothing: the row is updated in place', async () => {
  const given = await givenTeamWithJob(pool);
  const { rows } = await pool.query(
    `insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed)
     values (gen_random_uuid(), $1, $2, 'gpt', '[]', 'gpt', false) returning call_id`,
    [given.job, given.team],
  );
  const connection = await pool.connect();
  /** What this connection has not reported yet of itself. */
  const updates = async () =>
    (
      await connection.query(
        `select n_tup_upd::int as updated, n_tup_hot_upd::int as in_place from pg_stat_xact_user_tables where relname = 'calls'`,
      )
    ).rows[0];

  await connection.query('begin');
  const before = await updates();
  await connection.query(
    `update calls set status = 'running', worker_attempt = 1, started_at = now() where call_id = $1`,
    [rows[0].call_id],
  );
  const after = await updates();
  await connection.query('rollback');
  connection.release();

  expect(after).toEqual({ updated: before.updated + 1, in_place: before.in_place + 1 });
});

/** What several workers, clients and rounds do, in any order: a transaction begins and records a call, one ends, a round runs. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('begin' as const) }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat(3), commits: fc.boolean() }),
    fc.record({ kind: fc.constant('round' as const), callsAtOnce: fc.integer({ min: 1, max: 5 }) }),
  ),
  { minLength: 5, maxLength: 40 },
);

test('in whatever order transactions that record calls begin and end between rounds, each call is added once', async () => {
  // The tests above have moved the cursor back.
  await pool.query(`truncate hourly_calls, daily_calls, hourly_attempts; delete from call_attempts; delete from calls`);
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const one = await givenTeamWithJob(pool);
      const open: PoolClient[] = [];
      let committed = 0;
      const end = async (connection: PoolClient, commits: boolean) => {
        await connection.query(commits ? 'commit' : 'rollback');
        connection.release();
        committed += commits ? 1 : 0;
      };
      for (const step of given) {
        if (step.kind === 'round') await round({ callsAtOnce: step.callsAtOnce });
        if (step.kind === 'begin' && open.length < 4) {
          const connection = await pool.connect();
          await connection.query('begin');
          await insertRecordedCall(connection, one);
          open.push(connection);
        }
        if (step.kind === 'end' && step.index < open.length) await end(open.splice(step.index, 1)[0]!, step.commits);
      }
      for (const connection of open) await end(connection, true);
      await round();

      expect(await callsOf(one.team)).toBe(committed);
    }),
    { numRuns: 20 },
  );
  const disagreements = (await checkLedger({ pool }, { inFlight: true })).filter((one) => /hour|day/.test(one));
  expect(disagreements).toEqual([]);
});
