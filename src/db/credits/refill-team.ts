import { randomUUID } from 'node:crypto';
import { maxBalance } from '../../domain/credits.ts';
import { nextRefillAt, type RefillPeriod } from '../../domain/refill.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { insertUpstreamChange } from '../upstream-teams/record-change.ts';
import { raisedLimit } from './change-balance.ts';

interface RefillRow {
  refill_anchor_at: Date;
  refill_period: RefillPeriod;
  next_refill_at: Date;
}

const findSql = statement(
  'find_due_refill',
  `select refill_anchor_at, refill_period, next_refill_at from credit_accounts
    where team_id = :team_id and auto_refill and next_refill_at <= :now`,
);

/** The due date guards the refill: the same statement advances it; the unique index `one_refill_a_period` backs it. */
const refillSql = statement(
  'refill_team',
  `with refilled as (
     update credit_accounts a
        set credits_allocated = a.credits_allocated + a.refill_amount, credit_limit = ${raisedLimit('a', 'a.refill_amount')},
            last_refill_at = clock_timestamp(), next_refill_at = :next_due_at
      where a.team_id = :team_id and a.auto_refill and a.next_refill_at = :due_at
        and a.credits_allocated::bigint + a.refill_amount <= ${maxBalance}
     returning a.team_id, a.organization_id, a.refill_amount, a.refill_period,
               a.credits_allocated - a.credits_used as credits_after
   ), ledger as (
     insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount,
                                      credits_before, credits_after, reason, refill_due_at)
     select :transaction_id, team_id, organization_id, 'allocation', refill_amount, credits_after - refill_amount, credits_after,
            'Auto-refill ' || refill_period, :due_at
       from refilled
   ), upstream_change as (${insertUpstreamChange('refilled')})
   select team_id from refilled`,
);

/** Skips a date that was set back by hand: the ledger has the refill of that period. */
const skipSql = statement(
  'skip_refill',
  `update credit_accounts set next_refill_at = :next_due_at
    where team_id = :team_id and auto_refill and next_refill_at = :due_at
      and exists (select from credit_transactions where team_id = :team_id and refill_due_at = :due_at)
   returning team_id`,
);

/**
 * Makes every refill of a team that is due by `now`, each with a row of the ledger, the oldest first (`spec 6.6`), until none is
 * left or the balance would be out of range. Returns how many were made here: another process may make others at the same time.
 */
export async function refillTeam(database: Database, teamId: string, now: Date): Promise<number> {
  let refills = 0;
  let tried: Date | undefined;
  for (;;) {
    // The date is read again each time: another process may advance it too, and the next refill is then still due.
    const [due] = await database.query<RefillRow>(findSql, { team_id: teamId, now });
    if (!due || due.next_refill_at.getTime() === tried?.getTime()) return refills;
    tried = due.next_refill_at;
    const next = nextRefillAt(due.refill_anchor_at, due.refill_period, tried);
    const values = { team_id: teamId, due_at: tried, next_due_at: next };
    const skipped = await database.query(skipSql, values);
    if (skipped.length > 0) continue;
    const refilled = await database.query(refillSql, { ...values, transaction_id: randomUUID() });
    refills += refilled.length;
  }
}

const dueSql = statement(
  'list_due_refills',
  `select team_id from credit_accounts where auto_refill and next_refill_at <= :now and team_id > :after
    order by team_id limit :limit`,
);

/** Teams with a refill due, by id from `after` on. */
export async function listDueRefills(database: Database, now: Date, after: string, limit: number): Promise<string[]> {
  const rows = await database.query<{ team_id: string }>(dueSql, { now, after, limit });
  return rows.map((row) => row.team_id);
}
