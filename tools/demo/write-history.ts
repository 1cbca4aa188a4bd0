import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { auditEntry } from '../../src/db/audit/write-audit-entry.ts';
import { admitCallToJob } from '../../src/db/calls/admit-call-to-job.ts';
import { finishCall } from '../../src/db/calls/finish-call.ts';
import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { allocateCredits } from '../../src/db/credits/change-balance.ts';
import { refundDeduction } from '../../src/db/credits/refund-deduction.ts';
import { callSettingsOf } from '../../src/db/entities/team.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { settlementBasis } from '../../src/db/jobs/settlement-basis.ts';
import { findTeamByKey, type PresentedKey } from '../../src/db/keys/find-team-by-key.ts';
import { chargeBy } from '../../src/domain/settlement-basis.ts';
import { dayMs } from '../../src/domain/time/buckets.ts';
import type { InventedCall, InventedJob } from './invent-jobs.ts';
import { inThePast } from './past.ts';
import type { DemoTeam } from './story.ts';

/** Something that happened, and the statement that recorded it. */
interface Moment {
  at: Date;
  record(): Promise<unknown>;
}

const change = (action: string, team_id: string): string =>
  auditEntry(
    randomUUID(),
    { caller: { kind: 'platform' }, ip: '' },
    { action, resource_type: 'team', resource_id: team_id },
  );

function momentsOfCall(database: Database, { job }: InventedJob, call: InventedCall, key: PresentedKey): Moment[] {
  const { step, streamed, started_at, first_token_at, result } = call;
  const { call_id } = result;
  const admitted = {
    call_id,
    job_id: job.job_id,
    team_id: job.team_id,
    requested_model: step.group,
    purpose: step.purpose,
    streamed,
    asynchronous: false,
    end_job: null,
    turn_seconds: null,
    agent: null,
    call_metadata: null,
    request: JSON.stringify({ messages: [{ role: 'user', content: step.prompt }], max_tokens: 1_000 }),
    request_id: randomUUID(),
    options: null,
    fingerprint: null,
    prompt_tokens: 0,
    output_tokens: null,
    may_read_list: false,
    vectors_kept_minutes: null,
    key,
  };
  const start = { workerAttempt: 1, startsJob: false, jobStartedAt: started_at };
  return [
    { at: call.created_at, record: () => admitCallToJob(database, admitted) },
    { at: started_at, record: () => startCall(database, call_id, start) },
    ...(first_token_at ? [{ at: first_token_at, record: () => markFirstToken(database, call_id, 1) }] : []),
    { at: call.finished_at, record: () => finishCall(database, result) },
  ];
}

/** Settles a job as the activity does. */
async function settle(database: Database, { job, status, error_message, cancel_reason, completed_at }: InventedJob) {
  const basis = (await settlementBasis(database, job.job_id))!;
  const { charge, billed_by } = chargeBy(basis, status);
  return settleJob(database, {
    ...endAsRecorded(job.job_id, status, error_message, 'client'),
    credits: charge.credits,
    billed_by,
    cancel_reason,
    completed_at,
  });
}

const refund = (database: Database, { job_id, team_id }: InventedJob['job']) =>
  refundDeduction(database, {
    transaction_id: randomUUID(),
    team_id,
    job_id,
    reason: 'The answer was wrong',
    audit_entry: change('refunded_credits', team_id),
  });

const momentsOfJob = (database: Database, invented: InventedJob, key: PresentedKey): Moment[] => [
  { at: invented.created_at, record: () => insertJob(database, invented.job) },
  ...invented.calls.flatMap((call) => momentsOfCall(database, invented, call, key)),
  { at: invented.completed_at, record: () => settle(database, invented) },
  ...(invented.refunded_at ? [{ at: invented.refunded_at, record: () => refund(database, invented.job) }] : []),
];

const momentsOfAllocations = (database: Database, { team_id, allocations }: DemoTeam, until: Date): Moment[] =>
  allocations.map(({ daysAgo, credits, reason }) => ({
    at: new Date(until.getTime() - daysAgo * dayMs - dayMs / 2),
    record: () =>
      allocateCredits(database, {
        transaction_id: randomUUID(),
        team_id,
        credits_amount: credits,
        reason,
        audit_entry: change('allocated_credits', team_id),
      }),
  }));

/**
 * Writes the past of a team that has none: the statements that the service would have executed, in the order of their times and as
 * if each were executed at its time. `keyHashes`: of the virtual key of the team.
 */
export const writeHistory = (client: Client, team: DemoTeam, keyHashes: Buffer[], jobs: InventedJob[], until: Date) =>
  inThePast(client, async ({ database, setTime }) => {
    await setTime(until);
    const found = (await findTeamByKey(database, keyHashes))!;
    const key = { hashes: keyHashes, ...callSettingsOf(found) };
    const moments = [
      ...momentsOfAllocations(database, team, until),
      ...jobs.flatMap((job) => momentsOfJob(database, job, key)),
    ].filter(({ at }) => at < until);
    moments.sort((one, other) => one.at.getTime() - other.at.getTime());
    for (const { at, record } of moments) {
      await setTime(at);
      await record();
    }
    await client.query(
      `with begun as (update teams set created_at = $2, updated_at = $2 where team_id = $1 returning organization_id)
       update organizations o set created_at = least(o.created_at, $2) from begun where o.organization_id = begun.organization_id`,
      [team.team_id, moments[0]!.at],
    );
    // The sums by hour take what was recorded since they were made last, and do not wait for this transaction, which is of another role.
    await client.query('update calls set recorded_at = pg_catalog.clock_timestamp() where team_id = $1', [
      team.team_id,
    ]);
  });
