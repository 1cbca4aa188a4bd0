import { randomBytes } from 'node:crypto';
import { createSettlementActivities, type SettleDeps } from '../../activities/jobs/settle-job.ts';
import { sealEnd } from '../../src/auth/sealed-end.ts';
import { createSecrets } from '../../src/auth/secrets.ts';
import { createFairSemaphore } from '../../src/concurrency/fair-semaphore.ts';
import { type Database, openDatabase } from '../../src/db/connection/database.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { median } from '../drive/statistics.ts';

export interface Settlements {
  /** `settleJob` a second, and the plain statement a second, each on one team. */
  settleJob: number;
  plainSql: number;
}

const lanes = 16;
const repetitions = 3;

/** Only the three writes: end the job, charge the account, write the ledger row. One statement, the fastest form. */
const plainSql = statement(
  'bench_plain_settlement',
  `with done as (
     update jobs set status = 'completed', completed_at = now(), credit_applied = true, credits_charged = 1
      where job_id = :job_id and status = 'in_progress' returning team_id
   ), charged as (
     update credit_accounts a set credits_used = a.credits_used + 1 from done where a.team_id = done.team_id
     returning a.team_id, a.organization_id, a.credits_allocated - a.credits_used as credits_after
   )
   insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
                                    credits_amount, credits_before, credits_after, reason)
   select gen_random_uuid(), team_id, organization_id, :job_id, 'deduction', 1, credits_after + 1, credits_after, 'bench'
     from charged`,
);

/** Inserts jobs in progress for the benchmark's team, without the gateway. */
const makeJobs = statement(
  'bench_make_jobs',
  `insert into jobs (job_id, team_id, organization_id, job_type, status, started_at)
   select gen_random_uuid(), 'bench', 'bench', 'bench settlement', 'in_progress', now() from generate_series(1, :jobs)
   returning job_id`,
);

async function rate(database: Database, jobs: number, settle: (jobId: string) => Promise<unknown>): Promise<number> {
  const made = await database.query<{ job_id: string }>(makeJobs, { jobs });
  const remaining = made.map(({ job_id }) => job_id);
  const startedAt = performance.now();
  const run = async () => {
    for (let jobId = remaining.pop(); jobId; jobId = remaining.pop()) await settle(jobId);
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return (jobs * 1_000) / (performance.now() - startedAt);
}

/** 16 at once on one team, so that all wait for one row: the worker's activity and plain SQL, alternating. */
export async function measureSettlements(databaseUrl: string, jobs: number): Promise<Settlements> {
  const database = await openDatabase({ url: databaseUrl, poolSize: lanes, stallTimeoutMs: 60_000 });
  const secrets = createSecrets(randomBytes(32).toString('hex'));
  const deps: SettleDeps = {
    config: { USD_PER_CREDIT: undefined, TASK_JOB_IDLE: 1_800_000 },
    secrets,
    log: { warn: () => undefined },
    database,
    metrics: createMetrics('worker'),
    changes: { publish: () => undefined },
    deliveries: { start: () => undefined, startNew: () => undefined },
    settlementSemaphore: createFairSemaphore({ perKey: Math.ceil(lanes / 4) }),
  };
  const { settleJob } = createSettlementActivities(deps);
  const end = { status: 'completed' as const, error_message: null, cancel_reason: null, metadata: {} };
  const activity: number[] = [];
  const plain: number[] = [];
  try {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      activity.push(
        await rate(database, jobs, (job_id) =>
          settleJob({
            ...end,
            job_id,
            sealed_end: sealEnd(secrets, job_id, end),
            model_groups_used: [],
            completed_at: Date.now(),
          }),
        ),
      );
      plain.push(await rate(database, jobs, (job_id) => database.query(plainSql, { job_id })));
    }
  } finally {
    await database.close();
  }
  return { settleJob: median(activity), plainSql: median(plain) };
}
