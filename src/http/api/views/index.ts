import { deleteView } from './delete-view.ts';
import { listViews } from './list-views.ts';
import { saveView } from './save-view.ts';
import { updateView } from './update-view.ts';

export const viewRoutes = [listViews, saveView, updateView, deleteView];
