import { listViews as list, type ViewRow } from '../../db/views/saved-views.ts';
import type { ServiceContext } from '../context.ts';

/** The views that the admins share, by their names. */
export const listViews = ({ deps }: ServiceContext): Promise<ViewRow[]> => list(deps.database);
