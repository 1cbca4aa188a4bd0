import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { type PriceKey, deletePrice as remove } from '../../db/prices/price-rows.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** Deletes the row of a job type. A team then has the row for all teams, if there is one. */
export async function deletePrice(context: ServiceContext, key: PriceKey): Promise<void> {
  const { deps, newId } = context;
  const { team_id, job_type } = key;
  if (team_id !== null) await requireOwnTeam(context, team_id);
  const entry = auditEntry(newId('audit'), context, {
    action: 'deleted_price',
    resource_type: 'job_type',
    resource_id: job_type,
    details: { team_id },
  });
  if (!(await remove(deps.database, key, entry))) throw refuse('price_not_found', job_type);
  if (team_id !== null) deps.changes.publish('teams', { team_id });
}
