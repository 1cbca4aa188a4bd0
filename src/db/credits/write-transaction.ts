import type { TransactionType } from '../../domain/credits.ts';
import type { Database } from '../connection/database.ts';
import { isUniqueViolation } from '../connection/failures.ts';
import { type Statement, statement, type Values } from '../sql/statement.ts';

/** A row of the ledger. */
export interface TransactionRow {
  transaction_id: string;
  team_id: string;
  job_id: string | null;
  transaction_type: TransactionType;
  credits_amount: number;
  credits_before: number;
  credits_after: number;
  reason: string;
  created_at: Date;
}

export const transactionColumns =
  'transaction_id, team_id, job_id, transaction_type, credits_amount, credits_before, credits_after, reason, created_at';

const findSql = statement(
  'find_transaction',
  `select ${transactionColumns} from credit_transactions where transaction_id = :transaction_id`,
);

/**
 * The row that `sql` writes with the `transaction_id` in `values`, or the row that the same request wrote before. If a request is
 * executed twice at once, the second statement fails as a whole, and the row of the first is read. Undefined when there is none.
 */
export async function writeTransaction(
  database: Database,
  sql: Statement,
  values: Values & { transaction_id: string },
): Promise<TransactionRow | undefined> {
  const [written] = await database.query<TransactionRow>(sql, values).catch((error: unknown) => {
    if (isUniqueViolation(error)) return [];
    throw error;
  });
  if (written) return written;
  const [found] = await database.query<TransactionRow>(findSql, { transaction_id: values.transaction_id });
  return found;
}
