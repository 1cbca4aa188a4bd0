import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement('find_balance', 'select credits_remaining from credit_accounts where team_id = :team_id');

/** The credits that a team has left now. */
export async function findBalance(database: Database, teamId: string): Promise<number> {
  const [row] = await database.query<{ credits_remaining: number }>(sql, { team_id: teamId });
  return row?.credits_remaining ?? 0;
}
