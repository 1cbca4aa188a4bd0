import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** An account, with the sum of its ledger. */
interface CheckedAccount {
  team_id: string;
  balance: number;
  ledger: number;
}

export interface LedgerChecked {
  checked_at: Date;
  accounts: number;
  /** At most `mostMismatches`. */
  mismatches: CheckedAccount[];
}

/** Each batch is one statement of at most some seconds, in which the balances and the ledger are of one moment. */
const batchSize = 100;
const mostMismatches = 100;

const sql = statement(
  'check_ledger',
  `select a.team_id, a.credits_remaining as balance, t.credits::bigint as ledger
     from (select team_id, credits_remaining from credit_accounts
            where team_id > :after_team order by team_id limit :at_most) a
    cross join lateral (
      select coalesce(sum(case transaction_type when 'deduction' then -credits_amount else credits_amount end), 0) as credits
        from credit_transactions where team_id = a.team_id) t
    order by a.team_id`,
);

/** Adds up the whole ledger of every team, and compares it with the balance of its account. */
export async function checkLedger(database: Database, checkedAt: Date): Promise<LedgerChecked> {
  const checked: LedgerChecked = { checked_at: checkedAt, accounts: 0, mismatches: [] };
  for (let after_team = ''; ; ) {
    const batch = await database.reports.query<CheckedAccount>(sql, { after_team, at_most: batchSize });
    checked.accounts += batch.length;
    const wrong = batch.filter(({ balance, ledger }) => balance !== ledger);
    checked.mismatches.push(...wrong.slice(0, mostMismatches - checked.mismatches.length));
    if (batch.length < batchSize) return checked;
    after_team = batch.at(-1)!.team_id;
  }
}
