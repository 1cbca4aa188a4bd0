import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { refuse } from '../../errors.ts';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

const sql = unnamed('select team_id from teams where team_id = :team_id for no key update');

/**
 * Changes of one team wait for each other. Not a full lock: rows that refer to the team, like a deduction's, take a key lock on
 * it and must not wait. Refuses without such a team.
 */
export async function lockTeam(entities: SqlEntityManager, teamId: string): Promise<void> {
  const rows = await executeIn(entities, sql, { team_id: teamId });
  if (rows.length === 0) throw refuse('team_not_found', teamId);
}
