import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface LedgerChecked {
  checked_at: Date;
  accounts: number;
  /** There are at most `maxMismatches`. */
  mismatches: { team_id: string; balance: number; ledger: number }[];
}

/** What has been added up of a team's ledger so far. */
interface Checking {
  team_id: string;
  ledger: number;
  position: number;
}

/** What a statement has added up, and the balance at that moment. */
interface AddedUp {
  team_id: string;
  balance: number;
  entries: number;
  credits: number;
  last_position: number | null;
}

/** One statement compares so many teams, so that it takes less than a second: half a million rows at most. */
const teamsAtOnce = 25;
const rowsOfTeam = 20_000;
const maxMismatches = 100;

const teamsSql = statement('list_accounts', 'select team_id from credit_accounts order by team_id');

const sumSql = statement(
  'add_up_ledger',
  `select a.team_id, a.credits_remaining as balance, t.entries, t.credits, t.last_position
     from unnest(:team_ids::text[], :positions::bigint[]) checking (team_id, position)
     join credit_accounts a on a.team_id = checking.team_id
    cross join lateral (
      select count(*)::int as entries, max(next.position) as last_position,
             coalesce(sum(case next.transaction_type when 'deduction' then -next.credits_amount else next.credits_amount end), 0)::bigint
               as credits
        from (select c.transaction_type, c.credits_amount, c.position from credit_transactions c
               where c.team_id = checking.team_id and c.position > checking.position
               order by c.position limit :rows_of_team) next) t`,
);

/**
 * Adds up the whole ledger of every team, and compares it with the balance of its account. Rows never change, and a team's
 * positions rise with time: the statement that reads the last rows of a team reads its balance in the same snapshot.
 */
export async function checkLedger({ reports }: Database, checkedAt: Date): Promise<LedgerChecked> {
  const teams = await reports.query<{ team_id: string }>(teamsSql);
  const checked: LedgerChecked = { checked_at: checkedAt, accounts: teams.length, mismatches: [] };
  const unfinished = teams.map(({ team_id }): Checking => ({ team_id, ledger: 0, position: 0 }));
  while (unfinished.length > 0) {
    const batch = unfinished.splice(0, teamsAtOnce);
    const added = await reports.query<AddedUp>(sumSql, {
      team_ids: batch.map(({ team_id }) => team_id),
      positions: batch.map(({ position }) => position),
      rows_of_team: rowsOfTeam,
    });
    const before = new Map(batch.map((one) => [one.team_id, one]));
    for (const { team_id, balance, entries, credits, last_position } of added) {
      const ledger = before.get(team_id)!.ledger + credits;
      if (entries === rowsOfTeam) unfinished.push({ team_id, ledger, position: last_position! });
      else if (ledger !== balance && checked.mismatches.length < maxMismatches)
        checked.mismatches.push({ team_id, balance, ledger });
    }
  }
  return checked;
}
