import { refuse } from '../../errors.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { writeAuditEntry } from '../audit/audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { CreditAccount } from '../entities/credit-account.ts';
import { Team } from '../entities/team.ts';
import { lockChanges } from '../sql/lock-changes.ts';
import { recordUpstreamChange } from '../upstream-teams/record-change.ts';
import { lockTeam } from './lock-team.ts';
import { replaceGroups } from './replace-groups.ts';

export type TeamSettings = Pick<
  Team,
  | 'team_alias'
  | 'metadata'
  | 'budget_mode'
  | 'tokens_per_credit'
  | 'credits_per_dollar'
  | 'low_balance_policy'
  | 'rpm_limit'
  | 'tpm_limit'
  | 'max_concurrent_calls'
  | 'job_key_from'
  | 'jobless_calls'
  | 'updated_at'
>;
export type AccountSettings = Pick<
  CreditAccount,
  'credit_limit' | 'auto_refill' | 'refill_amount' | 'refill_period' | 'refill_anchor_at' | 'next_refill_at'
>;

export interface TeamChange {
  team: Partial<TeamSettings>;
  /** The new settings, from the current ones. */
  account(current: AccountSettings): Partial<AccountSettings>;
  accessGroupIds?: string[];
  details: Record<string, unknown>;
}

/** Updates the settings of a team and its account together. The columns of the balance are never among them. */
export async function updateTeam(database: Database, actor: Actor, teamId: string, change: TeamChange): Promise<void> {
  const { accessGroupIds, details } = change;
  try {
    await database.transaction(async (entities) => {
      // Before the account is locked, because deductions wait for that.
      if (accessGroupIds) await lockChanges(entities, 'model access');
      await lockTeam(entities, teamId);
      const account = await entities.findOneOrFail(CreditAccount, { team_id: teamId });
      entities.assign(account, change.account(account));
      entities.assign(await entities.findOneOrFail(Team, { team_id: teamId }), change.team);
      await entities.flush();
      if (accessGroupIds) await replaceGroups(entities, teamId, { accessGroupIds });
      else await recordUpstreamChange(entities, teamId);
      const entry = { action: 'updated_team', resource_type: 'team', resource_id: teamId, details };
      await writeAuditEntry(entities, actor, entry);
    });
  } catch (error) {
    throw breaks(error, 'fixed_budget_never_negative') ? refuse('budget_invalid', negative) : error;
  }
}

const negative = 'The budget cannot be fixed while its balance is less than 0';

const breaks = (error: unknown, constraint: string): boolean =>
  (error as { constraint?: string }).constraint === constraint;
