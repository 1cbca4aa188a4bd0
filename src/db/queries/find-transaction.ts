import type { TransactionType } from '../../domain/credits.ts';
import { type Database, statement } from '../database.ts';

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

const sql = statement(
  'find_transaction',
  `select ${transactionColumns} from credit_transactions where transaction_id = $1`,
);

export async function findTransaction(database: Database, transactionId: string): Promise<TransactionRow | undefined> {
  const [row] = await database.query<TransactionRow>(sql, [transactionId]);
  return row;
}
