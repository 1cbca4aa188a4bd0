import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/connection/database.ts';
import { listDueRefills } from '../../src/db/credits/refill-team.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-keys.ts';
import {
  deleteDeliveries,
  deleteEndedKeys,
  deleteEndedSessions,
  deletePayloads,
} from '../../src/db/maintenance/delete-expired.ts';
import { findOpenJobs, findPendingDeliveries } from '../../src/db/maintenance/terminated-work.ts';
import { listPendingJobs, listQueuedCalls } from '../../src/db/maintenance/unsent-work.ts';
import { queueDepths } from '../../src/db/server/queue-depths.ts';
import { deleteDeliveriesOf } from '../../src/db/webhooks/delete-deliveries-of.ts';
import { findNotStarted } from '../../src/db/webhooks/start-deliveries.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests({ poolSize: 1 });
beforeAll(async () => {
  // So dear that one is planned only where no index would do.
  await database.pool.query('set enable_seqscan = off');
});

/** The plans of what `read` asks. It is given a row of nothing: some look into one that is always there. */
async function plansOf(read: (explained: Database) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const query = async <Row>({ text }: { text: string }, values: readonly unknown[]) => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
    return [{} as Row];
  };
  await read({ ...database, query, reports: { ...database.reports, query } });
  return plans.join('\n');
}

const page = { after: { created_at: new Date(0), id: randomUUID() }, until: new Date(), limit: 200 };

test.each<[string, (explained: Database) => Promise<unknown>]>([
  ['unsent jobs', (explained) => listPendingJobs(explained, page)],
  ['unsent calls', (explained) => listQueuedCalls(explained, page)],
  ['open jobs of terminated workflows', (explained) => findOpenJobs(explained, [randomUUID()])],
  ['pending deliveries of terminated workflows', (explained) => findPendingDeliveries(explained, [randomUUID()])],
  ['due refills', (explained) => listDueRefills(explained, new Date(), '', 100)],
  ['overdue deliveries', (explained) => findNotStarted(explained, 1_000, 50)],
  ['old answers', (explained) => deleteExpiredKeys(explained, 5_000)],
  ['old payloads', (explained) => deletePayloads(explained, 30, 5_000)],
  ['deliveries of a webhook', (explained) => deleteDeliveriesOf(explained, randomUUID(), 5_000)],
  ['old deliveries', (explained) => deleteDeliveries(explained, 30, 5_000)],
  ['ended sessions', (explained) => deleteEndedSessions(explained, 30, 5_000)],
  ['ended keys', (explained) => deleteEndedKeys(explained, 30, 5_000)],
  ['depths of queues', (explained) => queueDepths(explained)],
])('what is asked again and again reads no table from end to end: %s', async (_, read) => {
  const plans = await plansOf(read);

  expect(plans).toContain('Index');
  expect(plans).not.toContain('Seq Scan');
});
