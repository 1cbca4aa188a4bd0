import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { updateView as update, type ViewRow, type ViewText } from '../../db/views/saved-views.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** Replaces the name, the page and the filters of a view. */
export async function updateView(context: ServiceContext, viewId: string, view: ViewText): Promise<ViewRow> {
  const entry = auditEntry(context.newId('audit'), context, {
    action: 'updated_view',
    resource_type: 'view',
    resource_id: view.name,
    details: { view_id: viewId, path: view.path, query: view.query },
  });
  const updated = await update(context.deps.database, { ...view, view_id: viewId }, entry);
  if (updated === 'taken') throw refuse('view_exists', view.name);
  if (!updated) throw refuse('view_not_found', viewId);
  return updated;
}
