import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { insertView, type ViewRow, type ViewText } from '../../db/views/saved-views.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** Saves a view for all admins. A request that is executed again finds the view that it has saved. `spec 19.77` */
export async function createView(context: ServiceContext, view: ViewText): Promise<ViewRow> {
  const { deps, caller, newId } = context;
  const view_id = newId('view');
  const entry = auditEntry(newId('audit'), context, {
    action: 'created_view',
    resource_type: 'view',
    resource_id: view.name,
    details: { view_id, path: view.path, query: view.query },
  });
  const created_by = caller.kind === 'user' ? caller.email : 'platform';
  const saved = await insertView(deps.database, { ...view, view_id, created_by }, entry);
  if (!saved) throw refuse('view_exists', view.name);
  return saved;
}
