import { audit } from '../audit/write-audit-entry.ts';
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
        set tokens_per_credit = case when :sets_tokens then :tokens_per_credit else tokens_per_credit end,
            credits_per_dollar = case when :sets_credits then :credits_per_dollar else credits_per_dollar end,
            updated_at = clock_timestamp()
      where team_id = :team_id
     returning team_id, budget_mode, tokens_per_credit, credits_per_dollar
   ), audited as (${audit('changed')})
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
  const [changed] = await database.query<TeamRates>(sql, {
    team_id: teamId,
    sets_tokens: tokens !== undefined,
    tokens_per_credit: tokens ?? null,
    sets_credits: credits !== undefined,
    credits_per_dollar: credits ?? null,
    audit_entry: auditEntry,
  });
  return changed;
}
