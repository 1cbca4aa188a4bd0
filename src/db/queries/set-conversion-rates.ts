import { audit } from '../audit.ts';
import { type Database, statement } from '../database.ts';

/** Undefined stays as it is; null is the default of the system. */
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
     returning team_id
   ) ${audit('changed', '$6')}`,
);

export const setConversionRates = (database: Database, teamId: string, rates: NewRates, auditEntry: string) => {
  const { tokens_per_credit: tokens, credits_per_dollar: credits } = rates;
  const values = [teamId, tokens !== undefined, tokens ?? null, credits !== undefined, credits ?? null, auditEntry];
  return database.query(sql, values);
};
