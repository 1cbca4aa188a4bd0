import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { refuse } from '../../errors.ts';

/**
 * Changes of one team follow each other. Not a full lock: every row that refers to the team, a deduction's too, shares
 * its key and must not wait. Refuses where there is no such team.
 */
export async function lockTeam(entities: SqlEntityManager, teamId: string): Promise<void> {
  const rows = await entities.execute('select team_id from teams where team_id = ? for no key update', [teamId]);
  if (rows.length === 0) throw refuse('team_not_found', teamId);
}
