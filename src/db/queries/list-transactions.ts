import { type Database, statement } from '../database.ts';
import { type TransactionRow, transactionColumns } from './find-transaction.ts';

export interface TransactionSelection {
  team_id: string;
  transaction_type?: TransactionRow['transaction_type'] | undefined;
  limit: number;
  offset: number;
}

const where = 'team_id = $1 and ($2::text is null or transaction_type = $2)';
const listSql = statement(
  'list_transactions',
  `select ${transactionColumns} from credit_transactions where ${where} order by position desc limit $3 offset $4`,
);
const countSql = statement('count_transactions', `select count(*) as total from credit_transactions where ${where}`);

/** Newest first, in the order in which the balance went. */
export const listTransactions = (database: Database, selection: TransactionSelection): Promise<TransactionRow[]> => {
  const { team_id, transaction_type, limit, offset } = selection;
  return database.query<TransactionRow>(listSql, [team_id, transaction_type ?? null, limit, offset]);
};

export async function countTransactions(
  database: Database,
  { team_id, transaction_type }: TransactionSelection,
): Promise<number> {
  const [row] = await database.query<{ total: number }>(countSql, [team_id, transaction_type ?? null]);
  return row!.total;
}
