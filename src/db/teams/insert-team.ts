import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { RefillPeriod } from '../../domain/refill.ts';
import { CreditAccount } from '../entities/credit-account.ts';
import { CreditTransaction } from '../entities/credit-transaction.ts';
import { Team, type TeamSettings } from '../entities/team.ts';
import { VirtualKey } from '../entities/virtual-key.ts';
import { lockChanges } from '../sql/lock-changes.ts';
import { assignGroups } from './replace-groups.ts';
import type { Grants } from './resolve-grants.ts';

/** A team to create. */
export interface NewTeam extends TeamSettings {
  team_id: string;
  organization_id: string;
  team_alias: string | null;
  is_test: boolean;
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
  refill_up_to: number | null;
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
  team: NewTeam;
  key: NewTeamKey;
  grants: Grants;
  /** The id of its first allocation. */
  transactionId: string;
}

/** Inserts team, key, account, first allocation and groups, in the caller's transaction, which has completed the claim. */
export async function insertTeam(
  entities: SqlEntityManager,
  { team: { account, ...team }, key, grants, transactionId }: TeamToInsert,
): Promise<void> {
  const { team_id, organization_id } = team;
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
