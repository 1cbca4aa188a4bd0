import { type Database, statement } from '../database.ts';

const sql = statement('team_exists', 'select 1 from teams where team_id = $1');

export async function teamExists(database: Database, teamId: string): Promise<boolean> {
  return (await database.query(sql, [teamId])).length > 0;
}
