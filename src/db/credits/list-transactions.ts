import { type TransactionType, transactionTypes } from '../../domain/credits.ts';
import type { Database } from '../connection/database.ts';
import { type Listing, type Page, readPage } from '../sql/read-page.ts';
import { type TransactionRow, transactionColumns } from './write-transaction.ts';

export interface TransactionSelection extends Page {
  team_id: string;
  transaction_type?: TransactionType | undefined;
}

/**
 * One statement for each type, with the type as a literal: only then does the planner use the partial index of rarer types.
 * Counted from the sums of days, because the ledger may have a million rows.
 */
const listing = (type: TransactionType | 'any', counts: string): Listing => ({
  name: `list_transactions_${type}`,
  columns: `${transactionColumns}, position`,
  from: `credit_transactions where team_id = :team_id ${type === 'any' ? '' : `and transaction_type = '${type}'`}`,
  order: 'position desc',
  lookUp: { rows: 'credit_transactions where team_id = :team_id and', key: 'position' },
  count: `select coalesce(sum(${counts}), 0)::bigint as total from daily_credits where team_id = :team_id`,
});
const ofAny = listing('any', transactionTypes.map((type) => `${type}s`).join(' + '));
const ofType = new Map(transactionTypes.map((type) => [type, listing(type, `${type}s`)]));

/** Newest first, in the order in which the balance changed. */
export const listTransactions = (database: Database, { team_id, transaction_type, ...page }: TransactionSelection) =>
  readPage<TransactionRow>(database, transaction_type ? ofType.get(transaction_type)! : ofAny, { team_id }, page);
