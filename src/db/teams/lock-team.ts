import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';

const sql = unnamed('select team_id from teams where team_id = :team_id for no key update');

/**
 * Changes of one team wait for each other. Not a full lock: rows that refer to the team, like a deduction's, take a key lock on
 * it and must not wait. False: there is no such team.
 */
export async function lockTeam(entities: SqlEntityManager, teamId: string): Promise<boolean> {
  return (await executeIn(entities, sql, { team_id: teamId })).length > 0;
}
