import type { ListPosition } from '../../contracts/cursor.ts';
import { type TransactionType, transactionTypes } from '../../domain/credits.ts';
import type { Database } from '../connection/database.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { type OffsetListing, type OffsetPage, readOffsetPage } from '../sql/read-offset-page.ts';
import { type TransactionRow, transactionColumns } from './write-transaction.ts';

export interface TransactionSelection extends OffsetPage, Pick<KeysetPage, 'cursor'> {
  team_id: string;
  transaction_type?: TransactionType | undefined;
}

/**
 * One statement for each type, with the type as a literal: only then does the planner use the partial index of rarer types.
 * Counted from the sums of days, because the ledger may have a million rows.
 */
const listing = (type: TransactionType | 'any', counts: string): OffsetListing => ({
  name: `list_transactions_${type}`,
  columns: `${transactionColumns}, position`,
  from: `credit_transactions where team_id = :team_id ${type === 'any' ? '' : `and transaction_type = '${type}'`}`,
  order: 'position desc',
  lookUp: { rows: 'credit_transactions where team_id = :team_id and', key: 'position' },
  count: `select coalesce(sum(${counts}), 0)::bigint as total from daily_credits where team_id = :team_id`,
});
const ofAny = listing('any', transactionTypes.map((type) => `${type}s`).join(' + '));
const ofType = new Map(transactionTypes.map((type) => [type, listing(type, `${type}s`)]));

const keyset = {
  name: 'transactions_of_team',
  columns: [{ sql: 'position', type: 'bigint', direction: 'desc' }],
} as const;

export interface TransactionPage {
  total: number;
  rows: TransactionRow[];
  /** Null where the list has no further row, or was read by offset. */
  next: ListPosition | null;
}

/** Lists the newest first, in the order in which the balance changed. With a cursor, even that of the first page, no rows are skipped. */
export async function listTransactions(
  database: Database,
  { team_id, transaction_type, cursor, ...page }: TransactionSelection,
): Promise<TransactionPage> {
  const { name, ...listed } = transaction_type ? ofType.get(transaction_type)! : ofAny;
  if (cursor === undefined)
    return {
      ...(await readOffsetPage<TransactionRow>(database, { name: name!, ...listed }, { team_id }, page)),
      next: null,
    };
  const from = (after: string) => `${listed.from} and ${after}`;
  const { counted, rows, next } = await readKeysetPage<TransactionRow>(
    database,
    { ...listed, keyset, from },
    { team_id },
    { limit: page.limit, cursor },
  );
  return { total: counted!.total, rows, next };
}
