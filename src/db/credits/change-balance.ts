import { maxBalance } from '../../domain/credits.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { insertUpstreamChange } from '../upstream-teams/record-change.ts';
import { type TransactionRow, transactionColumns, writeTransaction } from './write-transaction.ts';

export interface BalanceChange {
  /** The same when the request is executed again, so that the balance changes once. */
  transaction_id: string;
  team_id: string;
  credits_amount: number;
  reason: string;
  audit_entry: string;
}

/** The ledger's row, or why there is none: a fixed budget would fall below 0 or what its jobs have reserved, or the balance is out of range. */
export type BalanceOutcome =
  | (TransactionRow & { credit_thresholds?: number[] })
  | 'no_account'
  | 'out_of_range'
  | 'reserved';

/**
 * The limit of a fixed budget after an addition: raised by as much, up to the largest value of the column. Null stays null;
 * beyond that value the limit decides nothing, so it is no reason to refuse. `spec 6.3`
 */
export const raisedLimit = (account: string, credits: string): string =>
  `${account}.credit_limit + least(${credits}, ${maxBalance} - ${account}.credit_limit)`;

/**
 * One statement that locks the account's row before it writes the ledger's, so that `credits_before` is where the last row of
 * the team ended. `limit` is the new limit of a fixed budget (`spec 6.3`).
 */
const changeSql = (type: 'allocation' | 'adjustment', limit: string) => `
  with changed as (
    update credit_accounts a
       set credits_allocated = a.credits_allocated + :credits_amount::bigint, credit_limit = ${limit}
     where a.team_id = :team_id
       and a.credits_allocated + :credits_amount::bigint <= ${maxBalance}
       and a.credits_allocated + :credits_amount::bigint >= case when a.credit_limit is null then a.credits_used - ${maxBalance}
                                                    else a.credits_used + a.credits_held end
       and not exists (select from credit_transactions where transaction_id = :transaction_id)
    returning a.team_id, a.organization_id, a.credits_allocated - a.credits_used as credits_after
  ), ledger as (
    insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type,
                                     credits_amount, credits_before, credits_after, reason)
    select :transaction_id, team_id, organization_id, '${type}',
           :credits_amount::bigint, credits_after - :credits_amount::bigint, credits_after, :reason
      from changed
    returning ${transactionColumns}
  ), audited as (${audit('changed')}), upstream_change as (${insertUpstreamChange('changed')})
  select ledger.*, (select t.credit_thresholds from teams t where t.team_id = ledger.team_id) from ledger`;

const allocateSql = statement('allocate_credits', changeSql('allocation', raisedLimit('a', ':credits_amount::bigint')));
const adjustSql = statement('adjust_credits', changeSql('adjustment', 'a.credit_limit'));
const accountSql = statement('find_held', 'select credits_held from credit_accounts where team_id = :team_id');

async function writeChange(database: Database, sql: Statement, change: BalanceChange): Promise<BalanceOutcome> {
  const { transaction_id, team_id, credits_amount, reason, audit_entry } = change;
  const values = { transaction_id, team_id, credits_amount, reason, audit_entry };
  const written = await writeTransaction(database, sql, values);
  if (written) return written;
  const [account] = await database.query<{ credits_held: number }>(accountSql, { team_id });
  if (!account) return 'no_account';
  return credits_amount < 0 && account.credits_held > 0 ? 'reserved' : 'out_of_range';
}

/** Raises the balance, and the limit of a fixed budget by as much. */
export const allocateCredits = (database: Database, change: BalanceChange) =>
  writeChange(database, allocateSql, change);

/** Raises or lowers the balance and leaves the limit as it is. */
export const adjustCredits = (database: Database, change: BalanceChange) => writeChange(database, adjustSql, change);
