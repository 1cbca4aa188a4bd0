import { ModelGroup, ModelGroupMember } from './model-group.ts';
import { Organization } from './organization.ts';
import { Team } from './team.ts';

export const entities = [Organization, Team, ModelGroup, ModelGroupMember];
