import type { z } from 'zod';
import type { LedgerQuery } from '../../contracts/credits.ts';
import { boundsOf } from '../../contracts/date-range.ts';
import { checkLedger as check, type LedgerChecked } from '../../db/credits/check-ledger.ts';
import { listLedger as listAll } from '../../db/credits/list-ledger.ts';
import {
  listTransactions as list,
  type TransactionPage,
  type TransactionSelection,
} from '../../db/credits/list-transactions.ts';
import { databaseTime } from '../../db/sql/database-clock.ts';
import { requireOrganization, requireTeam, visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** The transactions of one team, newest first. */
export async function listTransactions(
  context: ServiceContext,
  selection: TransactionSelection,
): Promise<TransactionPage> {
  await requireOwnTeam(context, selection.team_id);
  return list(context.deps.database, selection);
}

/** The transactions of all teams, newest first, with their sums: a team sees its own. */
export async function listLedger({ deps, caller }: ServiceContext, query: z.output<typeof LedgerQuery>) {
  const { team_id, organization_id, transaction_type, job_id } = query;
  if (team_id !== undefined) requireTeam(caller, team_id);
  if (organization_id !== undefined) requireOrganization(caller, organization_id);
  const selection = {
    ...boundsOf(query),
    team_id: visibleTeam(caller, team_id),
    organization_id,
    transaction_type,
    job_id,
  };
  return listAll(deps.database, selection, query);
}

/** Compares the balance of every account with the sum of its ledger. */
export const checkLedger = async ({ deps: { database } }: ServiceContext): Promise<LedgerChecked> =>
  check(database, await databaseTime(database));
