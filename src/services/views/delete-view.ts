import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { deleteView as remove } from '../../db/views/saved-views.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** Deletes a view for all admins. Returns its name. */
export async function deleteView(context: ServiceContext, viewId: string): Promise<string> {
  const entry = auditEntry(context.newId('audit'), context, {
    action: 'deleted_view',
    resource_type: 'view',
    resource_id: viewId,
  });
  const name = await remove(context.deps.database, viewId, entry);
  if (name === undefined) throw refuse('view_not_found', viewId);
  return name;
}
