import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import type { Database } from '../../db/connection/database.ts';
import type { BalanceChange, BalanceOutcome } from '../../db/credits/change-balance.ts';
import { adjustCredits as adjust, allocateCredits as allocate } from '../../db/credits/change-balance.ts';
import type { TransactionRow } from '../../db/credits/write-transaction.ts';
import { mayPublishCredits } from '../../domain/credit-events.ts';
import { invalid, refuse } from '../../errors.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';

/** The requested change of a balance. */
export interface RequestedChange {
  team_id: string;
  credits_amount: number;
  reason: string;
  /** The field of the body that the amount came in, for a 422. */
  field: string;
}

type Write = (database: Database, change: BalanceChange) => Promise<BalanceOutcome>;

/** Allocates credits to a team: raises its balance, and the limit of a fixed budget by as much. `spec 6.3` */
export function allocateCredits(
  context: ServiceContext,
  { reason, ...requested }: Omit<RequestedChange, 'reason'> & { reason?: string | null | undefined },
): Promise<TransactionRow> {
  const change = { ...requested, reason: reason ?? 'Credit allocation' };
  return changeBalance(context, change, 'allocated_credits', allocate);
}

/** Corrects the balance of a team, up or down, and leaves its limit as it is. `spec 6.3` */
export const adjustCredits = (context: ServiceContext, requested: RequestedChange): Promise<TransactionRow> =>
  changeBalance(context, requested, 'adjusted_credits', adjust);

/** Changes the balance once for each request, however often it is executed, and sends the new budget to the upstream. */
async function changeBalance(
  context: ServiceContext,
  { team_id, credits_amount, reason, field }: RequestedChange,
  action: string,
  write: Write,
): Promise<TransactionRow> {
  const { deps, newId } = context;
  const transaction_id = newId('transaction');
  const audit_entry = auditEntry(newId('audit'), context, {
    action,
    resource_type: 'team',
    resource_id: team_id,
    details: { transaction_id, credits_amount, reason },
  });
  const outcome = await write(deps.database, { transaction_id, team_id, credits_amount, reason, audit_entry });
  if (outcome === 'no_account') throw refuse('team_not_found', team_id);
  if (outcome === 'reserved') throw invalid(['body', field], belowReserved);
  if (outcome === 'out_of_range') throw invalid(['body', field], outOfRange(credits_amount));
  if (mayPublishCredits(outcome, outcome.credit_thresholds ?? [])) deps.deliveries.startNew(team_id);
  deps.changes.publish('teams', { team_id });
  await syncTeams(deps, [team_id]);
  return outcome;
}

const belowReserved = 'The balance cannot be less than the credits that open jobs have reserved';

const outOfRange = (amount: number): string =>
  amount > 0
    ? 'The balance would be more than 2,147,483,647'
    : 'The balance of a fixed budget cannot be less than 0, nor that of another less than -2,147,483,647';
