import type { z } from 'zod';
import type { CreditChange } from '../../../../contracts/credits.ts';
import { auditEntry } from '../../../../db/audit/audit-entry.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { allocateCredits, type BalanceChange, type BalanceOutcome } from '../../../../db/credits/change-balance.ts';
import { invalid, refuse } from '../../../../errors.ts';
import { syncTeams } from '../../../../litellm/sync-teams.ts';
import type { RequestContext } from '../../../route.ts';
import { serializeCreditChange } from './serialize-credits.ts';

/** The requested change of a balance. */
export interface RequestedChange {
  team_id: string;
  credits_amount: number;
  reason: string;
  /** The audit action: `allocated_credits`. */
  action: string;
  /** The field of the body that the amount came in, for a 422. */
  field: string;
}

/** Changes the balance once for each request, however often it is executed, and sends the new budget to the upstream. */
export async function changeCredits(
  context: RequestContext,
  requested: RequestedChange,
  change: (database: Database, requested: BalanceChange) => Promise<BalanceOutcome>,
): Promise<z.input<typeof CreditChange>> {
  const { deps, newId } = context;
  const { team_id, credits_amount, reason, action, field } = requested;
  const transaction_id = newId('transaction');
  const audit_entry = auditEntry(newId('audit'), context, {
    action,
    resource_type: 'team',
    resource_id: team_id,
    details: { transaction_id, credits_amount, reason },
  });
  const outcome = await change(deps.database, { transaction_id, team_id, credits_amount, reason, audit_entry });
  if (outcome === 'no_account') throw refuse('team_not_found', team_id);
  if (outcome === 'out_of_range') throw invalid(['body', field], outOfRange(credits_amount));
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
  return serializeCreditChange(outcome);
}

type Allocation = Omit<RequestedChange, 'action' | 'reason'> & { reason?: string | null };

/** Allocates credits, for each of the three routes that do. */
export function allocate(context: RequestContext, { reason, ...requested }: Allocation) {
  const change = { ...requested, reason: reason ?? 'Credit allocation', action: 'allocated_credits' };
  return changeCredits(context, change, allocateCredits);
}

const outOfRange = (amount: number): string =>
  amount > 0
    ? 'The balance would be more than 2,147,483,647'
    : 'The balance of a fixed budget cannot be less than 0, nor that of another less than -2,147,483,647';

/** The example of an answer of the three routes that allocate credits. */
export const exampleOfAllocation = {
  transaction_type: 'allocation',
  credits_amount: 100,
  credits_after: 104,
  credits_before: 4,
  reason: 'January top-up',
  job_id: null,
  credits_remaining: 104,
};
