import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement(
  'count_ledger_mismatches',
  `select count(*)::int as mismatches
     from credit_accounts a
    where a.credits_remaining <> coalesce((select t.credits_after from credit_transactions t
                                            where t.team_id = a.team_id order by t.position desc limit 1), 0)`,
);

/** How many accounts have a balance other than that after the last row of their ledger. `checkLedger` adds up all rows. */
export async function countLedgerMismatches({ reports }: Pick<Database, 'reports'>): Promise<number> {
  const [row] = await reports.query<{ mismatches: number }>(sql);
  return row!.mismatches;
}
