import { createAccessGroup } from './create-access-group.ts';
import { createModelAlias } from './create-model-alias.ts';
import { createModelGroup } from './create-model-group.ts';
import { deleteAccessGroup } from './delete-access-group.ts';
import { deleteModelAlias } from './delete-model-alias.ts';
import { deleteModelGroup } from './delete-model-group.ts';
import { getAccessGroup } from './get-access-group.ts';
import { getModelAlias } from './get-model-alias.ts';
import { getModelGroup } from './get-model-group.ts';
import { listAccessGroups } from './list-access-groups.ts';
import { listModelAliases } from './list-model-aliases.ts';
import { listModelGroups } from './list-model-groups.ts';
import { listUpstreamModels } from './list-upstream-models.ts';
import { resolveModel } from './resolve-model.ts';
import { updateAccessGroup } from './update-access-group.ts';
import { updateModelAlias } from './update-model-alias.ts';
import { updateModelGroup } from './update-model-group.ts';

export const modelRoutes = [
  listUpstreamModels,
  createModelGroup,
  listModelGroups,
  getModelGroup,
  updateModelGroup,
  deleteModelGroup,
  resolveModel,
  createModelAlias,
  listModelAliases,
  getModelAlias,
  updateModelAlias,
  deleteModelAlias,
  createAccessGroup,
  listAccessGroups,
  getAccessGroup,
  updateAccessGroup,
  deleteAccessGroup,
];
