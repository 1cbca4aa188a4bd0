import type { TransactionType } from '../../domain/credits.ts';
import { type Database, statement } from '../database.ts';
import { type TransactionRow, transactionColumns } from './write-transaction.ts';

export interface TransactionSelection {
  team_id: string;
  transaction_type?: TransactionType | undefined;
  limit: number;
  offset: number;
}

/** One statement a type, with the type written out: only so can the planner see that a partial index serves. */
const listing = (name: string, ofType: string) =>
  statement(
    `list_${name}`,
    `select ${transactionColumns} from credit_transactions
      where team_id = $1 ${ofType} order by position desc limit $2 offset $3`,
  );
const listed = (type: TransactionType) => listing(`${type}s`, `and transaction_type = '${type}'`);
const listSql = {
  all: listing('transactions', ''),
  deduction: listed('deduction'),
  allocation: listed('allocation'),
  refund: listed('refund'),
  adjustment: listed('adjustment'),
};

/** Newest first, in the order in which the balance went. */
export const listTransactions = (
  database: Database,
  { team_id, transaction_type, limit, offset }: TransactionSelection,
): Promise<TransactionRow[]> =>
  database.query<TransactionRow>(listSql[transaction_type ?? 'all'], [team_id, limit, offset]);

const countSql = statement(
  'count_transactions',
  `select coalesce(sum(case $2::text when 'deduction' then deductions when 'allocation' then allocations
                                     when 'refund' then refunds when 'adjustment' then adjustments
                                     else deductions + allocations + refunds + adjustments end), 0)::bigint as total
     from daily_credits where team_id = $1`,
);

/** From the counts of the days: the ledger itself may have a million rows. */
export async function countTransactions(
  database: Database,
  teamId: string,
  transactionType: TransactionType | undefined,
): Promise<number> {
  const [row] = await database.query<{ total: number }>(countSql, [teamId, transactionType ?? null]);
  return row!.total;
}
