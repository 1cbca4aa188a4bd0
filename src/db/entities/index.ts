import { Organization } from './organization.ts';
import { Team } from './team.ts';

export const entities = [Organization, Team];
