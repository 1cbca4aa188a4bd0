import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { upstreamChange } from '../upstream-changes.ts';

/** Notes, in the caller's transaction, that the upstream has to be told of the team. */
export const noteUpstreamChange = (entities: SqlEntityManager, teamId: string) =>
  entities.execute(`with changed as (select ?::text as team_id) ${upstreamChange('changed')}`, [teamId], 'run');
