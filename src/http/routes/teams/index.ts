import { createTeam } from './create-team.ts';
import { getTeam } from './get-team.ts';
import { replaceModelGroups } from './replace-model-groups.ts';

export const teamRoutes = [createTeam, getTeam, replaceModelGroups];
