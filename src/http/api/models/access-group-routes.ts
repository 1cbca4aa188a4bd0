import { createAccessGroup } from './create-access-group.ts';
import { deleteAccessGroup } from './delete-access-group.ts';
import { getAccessGroup } from './get-access-group.ts';
import { listAccessGroups } from './list-access-groups.ts';
import { updateAccessGroup } from './update-access-group.ts';

export const modelAccessGroupRoutes = [
  createAccessGroup,
  listAccessGroups,
  getAccessGroup,
  updateAccessGroup,
  deleteAccessGroup,
];
