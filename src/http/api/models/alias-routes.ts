import { createModelAlias } from './create-model-alias.ts';
import { deleteModelAlias } from './delete-model-alias.ts';
import { getModelAlias } from './get-model-alias.ts';
import { listModelAliases } from './list-model-aliases.ts';
import { updateModelAlias } from './update-model-alias.ts';

export const modelAliasRoutes = [createModelAlias, listModelAliases, getModelAlias, updateModelAlias, deleteModelAlias];
