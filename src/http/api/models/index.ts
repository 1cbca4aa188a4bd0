import { createModelGroup } from './create-model-group.ts';
import { deleteModelGroup } from './delete-model-group.ts';
import { getModelGroup } from './get-model-group.ts';
import { listModelGroups } from './list-model-groups.ts';
import { resolveModel } from './resolve-model.ts';
import { updateModelGroup } from './update-model-group.ts';

export const modelGroupRoutes = [
  createModelGroup,
  listModelGroups,
  getModelGroup,
  updateModelGroup,
  deleteModelGroup,
  resolveModel,
];
