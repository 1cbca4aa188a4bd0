import { randomUUID } from 'node:crypto';
import { listAuditEntries } from '../../src/db/audit/list-audit-entries.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { listLedger } from '../../src/db/credits/list-ledger.ts';
import { listDueRefills } from '../../src/db/credits/refills.ts';
import { queueDepths } from '../../src/db/figures/queue-depths.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import { findOpenJob } from '../../src/db/jobs/find-open-job.ts';
import { findTeamByKey } from '../../src/db/keys/find-team-by-key.ts';
import { listTeamKeys } from '../../src/db/keys/list-team-keys.ts';
import {
  deleteDeliveries,
  deleteEndedKeys,
  deleteEndedSessions,
  deletePayloads,
} from '../../src/db/maintenance/delete-expired.ts';
import { deleteOldJobs } from '../../src/db/maintenance/delete-jobs.ts';
import { shortenOldAnswers } from '../../src/db/maintenance/long-answers.ts';
import { listOpenJobs, listOrphanedCalls, listPendingDeliveries } from '../../src/db/maintenance/open-work.ts';
import { addCalls, cutSlice } from '../../src/db/maintenance/roll-up-calls.ts';
import { listQueuedCalls } from '../../src/db/maintenance/unsent-work.ts';
import { bind, type Statement, type Values } from '../../src/db/sql/statement.ts';
import { deleteDeliveriesOfWebhook } from '../../src/db/webhooks/deliveries.ts';
import { limitBacklogs } from '../../src/db/webhooks/limit-backlogs.ts';
import { listDeliveries } from '../../src/db/webhooks/list-deliveries.ts';
import { findTeamsWithOverdue, takeDeliveries } from '../../src/db/webhooks/take-deliveries.ts';
import { deliveryPace } from '../../src/temporal/commands/deliveries.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 1 });
beforeAll(async () => {
  // A sequential scan is then planned only where no index serves.
  await database.pool.query('set enable_seqscan = off');
});

/** The plans of the queries of `read`. Each returns an empty row, because some reads always have one. */
async function plansOf(read: (explained: Database) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const query = async <Row>(sql: Statement, values: Values = {}) => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${sql.text}`, bind(sql, values));
    plans.push(...rows.map((row) => row['QUERY PLAN']));
    return [{} as Row];
  };
  await read({ ...database, query, reserved: query, reports: { ...database.reports, query } });
  return plans.join('\n');
}

const slice = { from: new Date(0), until: new Date() };
const list = { limit: 100, cursor: null, count: 'none' } as const;
const week = { from: new Date('2026-01-01'), before: new Date('2026-01-08') };

const page = { after: { created_at: new Date(0), id: randomUUID() }, until: new Date(), limit: 200 };

test.each<[string, (explained: Database) => Promise<unknown>]>([
  ['unsent calls', (explained) => listQueuedCalls(explained, page)],
  ['open jobs', (explained) => listOpenJobs(explained, page)],
  ['the record of an open job', (explained) => findOpenJob(explained, randomUUID())],
  ['calls of ended jobs', (explained) => listOrphanedCalls(explained, 1_000)],
  ['pending deliveries', (explained) => listPendingDeliveries(explained, page)],
  ['due refills', (explained) => listDueRefills(explained, new Date(), '', 100)],
  ['overdue deliveries', (explained) => findTeamsWithOverdue(explained, 1_000)],
  ['deliveries to start', (explained) => takeDeliveries(explained, ['a'], deliveryPace(600))],
  ['backlogs', (explained) => limitBacklogs(explained)],
  ['old answers', (explained) => deleteExpiredKeys(explained, 5_000)],
  ['old jobs', (explained) => deleteOldJobs(explained, 30, () => undefined)],
  ['long answers', (explained) => shortenOldAnswers(explained, 1_000, () => undefined)],
  ['old payloads', (explained) => deletePayloads(explained, 30, 5_000)],
  ['deliveries of a webhook', (explained) => deleteDeliveriesOfWebhook(explained, randomUUID(), 5_000)],
  ['old deliveries', (explained) => deleteDeliveries(explained, 30, 5_000)],
  ['ended sessions', (explained) => deleteEndedSessions(explained, 30, 5_000)],
  ['ended keys', (explained) => deleteEndedKeys(explained, 30, 5_000)],
  ['the end of a roll-up', (explained) => cutSlice(explained, slice, 5_000)],
  ['calls that are added to the sums by hour', (explained) => addCalls(explained, slice)],
  ['transactions of all teams', (explained) => listLedger(explained, week, list)],
  ['transactions of a team', (explained) => listLedger(explained, { ...week, team_id: 'a' }, list)],
  ['transactions of an organization', (explained) => listLedger(explained, { ...week, organization_id: 'a' }, list)],
  ['refunds of all teams', (explained) => listLedger(explained, { ...week, transaction_type: 'refund' }, list)],
  [
    'transactions of a job',
    (explained) => listLedger(explained, { from: null, before: null, job_id: randomUUID() }, list),
  ],
  ['deliveries to all webhooks', (explained) => listDeliveries(explained, week, list)],
  ['deliveries to the webhooks of a team', (explained) => listDeliveries(explained, { ...week, team_id: 'a' }, list)],
  [
    'deliveries about a job',
    (explained) => listDeliveries(explained, { from: null, before: null, job_id: randomUUID() }, list),
  ],
  [
    'audit entries about a resource',
    (explained) =>
      listAuditEntries(explained, { from: null, before: null, resource_type: 'team', resource_id: 'a' }, list),
  ],
  ['a key that a request presents', (explained) => findTeamByKey(explained, [Buffer.from('a')])],
  ['further keys of a team', (explained) => listTeamKeys(explained, 'a')],
  ['depths of queues', (explained) => queueDepths(explained)],
])('the repeated read of %s uses an index and no sequential scan', async (_, read) => {
  const plans = await plansOf(read);

  expect(plans).toContain('Index');
  expect(plans).not.toContain('Seq Scan');
});
