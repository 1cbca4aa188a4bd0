import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { BudgetMode } from '../../domain/credits.ts';
import type { RefillPeriod } from '../../domain/refill.ts';
import type { JoblessCallPolicy, LowBalancePolicy } from '../../domain/team.ts';
import { refuse } from '../../errors.ts';
import { executeIn } from '../connection/execute-in.ts';
import { CreditAccount } from '../entities/credit-account.ts';
import { CreditTransaction } from '../entities/credit-transaction.ts';
import { Team } from '../entities/team.ts';
import { VirtualKey } from '../entities/virtual-key.ts';
import { lockChanges } from '../sql/lock-changes.ts';
import { unnamed } from '../sql/statement.ts';
import type { TeamClaim } from './claim-team.ts';
import { assignGroups } from './replace-groups.ts';
import type { Grants } from './resolve-grants.ts';

/** A team to create. */
export interface NewTeam {
  team_id: string;
  organization_id: string;
  team_alias: string | null;
  budget_mode: BudgetMode;
  tokens_per_credit: number | null;
  credits_per_dollar: string | null;
  low_balance_policy: LowBalancePolicy;
  rpm_limit: number | null;
  tpm_limit: number | null;
  max_concurrent_calls: number | null;
  job_key_from: string[];
  jobless_calls: JoblessCallPolicy;
  proxy_team_id: string;
  max_budget: string | null;
  metadata: Record<string, unknown>;
  account: NewAccount;
}

export interface NewAccount {
  credits_allocated: number;
  credit_limit: number | null;
  auto_refill: boolean;
  refill_amount: number | null;
  refill_period: RefillPeriod | null;
  refill_anchor_at: Date | null;
  next_refill_at: Date | null;
}

export interface NewTeamKey {
  key_hash: Buffer;
  key_sealed: Buffer;
}

/** `spec 6.2` */
const initialAllocation = 'Initial allocation';

/** Everything that is written when a team is created, under the claim on its id. */
export interface TeamToInsert {
  claim: TeamClaim;
  team: NewTeam;
  key: NewTeamKey;
  grants: Grants;
  /** The id of its first allocation. */
  transactionId: string;
}

/** Inserts team, key, account, first allocation and groups, in the caller's transaction. Refuses when the claim was lost. */
export async function insertTeam(
  entities: SqlEntityManager,
  { claim, team: { account, ...team }, key, grants, transactionId }: TeamToInsert,
): Promise<void> {
  const { team_id, organization_id } = team;
  await completeClaim(entities, claim);
  await entities.insert(Team, team);
  await entities.insert(VirtualKey, { ...key, team_id });
  await entities.insert(CreditAccount, { team_id, organization_id, ...account });
  const { credits_allocated } = account;
  if (credits_allocated > 0) {
    await entities.insert(CreditTransaction, {
      transaction_id: transactionId,
      team_id,
      organization_id,
      transaction_type: 'allocation',
      credits_amount: credits_allocated,
      credits_before: 0,
      credits_after: credits_allocated,
      reason: initialAllocation,
    });
  }
  if (grants.accessGroupIds.length > 0) await lockChanges(entities, 'model access');
  await assignGroups(entities, team_id, grants);
}

const completeSql = unnamed(
  `update team_registrations set claimed_until = null
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null returning team_id`,
);

async function completeClaim(entities: SqlEntityManager, { team_id, operation_id }: TeamClaim): Promise<void> {
  const completed = await executeIn(entities, completeSql, { team_id, operation_id });
  if (completed.length === 0) throw refuse('team_exists', team_id);
}
