import { randomUUID } from 'node:crypto';
import { largestBalance } from '../../domain/credits.ts';
import { nextRefillAt, type RefillPeriod } from '../../domain/refill.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { upstreamChange } from '../upstream-teams/note-change.ts';
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

/** Guarded by the due date, which the same statement advances; the unique index `one_refill_a_period` backs it. */
const refillSql = statement(
  'refill_team',
  `with refilled as (
     update credit_accounts a
        set credits_allocated = a.credits_allocated + a.refill_amount, credit_limit = ${raisedLimit('a', 'a.refill_amount')},
            last_refill_at = clock_timestamp(), next_refill_at = :next_due_at
      where a.team_id = :team_id and a.auto_refill and a.next_refill_at = :due_at
        and a.credits_allocated::bigint + a.refill_amount <= ${largestBalance}
     returning a.team_id, a.organization_id, a.refill_amount, a.refill_period,
               a.credits_allocated - a.credits_used as credits_after
   ), ledger as (
     insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount,
                                      credits_before, credits_after, reason, refill_due_at)
     select :transaction_id, team_id, organization_id, 'allocation', refill_amount, credits_after - refill_amount, credits_after,
            'Auto-refill ' || refill_period, :due_at
       from refilled
   ), noted as (${upstreamChange('refilled')})
   select team_id from refilled`,
);

/** The date was set back by hand: the ledger knows that its period was refilled. */
const passSql = statement(
  'pass_refill',
  `update credit_accounts set next_refill_at = :next_due_at
    where team_id = :team_id and auto_refill and next_refill_at = :due_at
      and exists (select from credit_transactions where team_id = :team_id and refill_due_at = :due_at)
   returning team_id`,
);

/**
 * Gives a team every refill that is due by `now`, one row of the ledger each, the oldest first (`spec 6.6`), until none
 * is left or the balance cannot hold the next one. Returns how many this call gave, because others may give them at the same
 * time.
 */
export async function refillTeam(database: Database, teamId: string, now: Date): Promise<number> {
  let given = 0;
  let tried: Date | undefined;
  for (;;) {
    // Read anew each time: another process may advance the date too, and the next refill is then still to give.
    const [due] = await database.query<RefillRow>(findSql, { team_id: teamId, now });
    if (!due || due.next_refill_at.getTime() === tried?.getTime()) return given;
    tried = due.next_refill_at;
    const next = nextRefillAt(due.refill_anchor_at, due.refill_period, tried);
    const values = { team_id: teamId, due_at: tried, next_due_at: next };
    const passed = await database.query(passSql, values);
    if (passed.length > 0) continue;
    const refilled = await database.query(refillSql, { ...values, transaction_id: randomUUID() });
    given += refilled.length;
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
