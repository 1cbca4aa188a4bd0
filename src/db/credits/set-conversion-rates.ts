import { audit } from '../audit/audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import type { TeamRow } from '../teams/find-team.ts';

export type TeamRates = Pick<TeamRow, 'team_id' | 'budget_mode' | 'tokens_per_credit' | 'credits_per_dollar'>;

/** Undefined leaves a rate as it is; null sets the default of the system. */
export interface NewRates {
  tokens_per_credit: number | null | undefined;
  /** An exact decimal. */
  credits_per_dollar: string | null | undefined;
}

const sql = statement(
  'set_conversion_rates',
  `with changed as (
     update teams
        set tokens_per_credit = case when $2 then $3 else tokens_per_credit end,
            credits_per_dollar = case when $4 then $5 else credits_per_dollar end,
            updated_at = clock_timestamp()
      where team_id = $1
     returning team_id, budget_mode, tokens_per_credit, credits_per_dollar
   ), audited as (${audit('changed', '$6')})
   select * from changed`,
);

/** The rates after the change; undefined without such a team. */
export async function setConversionRates(
  database: Database,
  teamId: string,
  rates: NewRates,
  auditEntry: string,
): Promise<TeamRates | undefined> {
  const { tokens_per_credit: tokens, credits_per_dollar: credits } = rates;
  const values = [teamId, tokens !== undefined, tokens ?? null, credits !== undefined, credits ?? null, auditEntry];
  const [changed] = await database.query<TeamRates>(sql, values);
  return changed;
}
