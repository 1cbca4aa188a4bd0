import { randomUUID } from 'node:crypto';
import { maxBalance } from '../../domain/credits.ts';
import type { RefillPeriod } from '../../domain/refill.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { insertUpstreamChange } from '../upstream-teams/record-change.ts';
import { raisedLimit } from './change-balance.ts';

export interface DueRefill {
  refill_anchor_at: Date;
  refill_period: RefillPeriod;
  next_refill_at: Date;
}

const findSql = statement(
  'find_due_refill',
  `select refill_anchor_at, refill_period, next_refill_at from credit_accounts
    where team_id = :team_id and auto_refill and next_refill_at <= :now`,
);

/**
 * The due date guards the refill: the same statement advances it; the unique index `one_refill_a_period` backs it. The account is locked
 * before the amount is decided. A refill that adds nothing, because of `refill_up_to`, only advances the date: `spec 24.7`.
 */
const refillSql = statement(
  'refill_team',
  `with account as (
     select a.team_id, greatest(0, least(a.refill_amount, a.refill_up_to::bigint - a.credits_remaining))::int as added
       from credit_accounts a where a.team_id = :team_id and a.auto_refill and a.next_refill_at = :due_at for no key update
   ), advanced as (
     update credit_accounts a
        set credits_allocated = a.credits_allocated + added, credit_limit = ${raisedLimit('a', 'added')},
            last_refill_at = case when added > 0 then clock_timestamp() else a.last_refill_at end, next_refill_at = :next_due_at
       from account
      where a.team_id = account.team_id and a.next_refill_at = :due_at and a.credits_allocated::bigint + added <= ${maxBalance}
     returning a.team_id, a.organization_id, added, a.refill_period, a.credits_allocated - a.credits_used as credits_after
   ), refilled as (
     select * from advanced where added > 0
   ), ledger as (
     insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type, credits_amount,
                                      credits_before, credits_after, reason, refill_due_at)
     select :transaction_id, team_id, organization_id, 'allocation', added, credits_after - added, credits_after,
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

/** The oldest refill of a team that is due. */
export async function findDueRefill(database: Database, teamId: string, now: Date): Promise<DueRefill | undefined> {
  const [due] = await database.query<DueRefill>(findSql, { team_id: teamId, now });
  return due;
}

/** One period of a team: when its refill is due, and when the one after it is. */
export interface TeamPeriod {
  team_id: string;
  due_at: Date;
  next_due_at: Date;
}

/** True: the ledger has the refill of this period already, so that only the date was advanced. */
export const skipRefill = async (database: Database, period: TeamPeriod): Promise<boolean> =>
  (await database.query(skipSql, { ...period })).length > 0;

/** False: another process has made it, it adds nothing, or the balance would be out of range. */
export const makeRefill = async (database: Database, period: TeamPeriod): Promise<boolean> =>
  (await database.query(refillSql, { ...period, transaction_id: randomUUID() })).length > 0;

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
