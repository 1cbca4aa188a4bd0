import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * Notes, in a statement that changes what the upstream has to know of teams, which teams; `source` is the CTE with their
 * `team_id`. Always in the same order, so that two changes with teams in common do not deadlock.
 */
export const upstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source} order by team_id
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;

/** Notes, in the caller's transaction, that the upstream has to receive the team. */
export const noteUpstreamChange = (entities: SqlEntityManager, teamId: string) =>
  entities.execute(`with changed as (select ?::text as team_id) ${upstreamChange('changed')}`, [teamId], 'run');

const note = async (entities: SqlEntityManager, teams: string, ids: readonly string[]): Promise<string[]> => {
  const changed = `select distinct team_id from ${teams} = any (?::uuid[])`;
  const sql = `with changed as (${changed}), noted as (${upstreamChange('changed')}) select team_id from changed order by team_id`;
  const rows = await entities.execute<{ team_id: string }[]>(sql, [`{${ids.join(',')}}`]);
  return rows.map((row) => row.team_id);
};

/** Notes, in the caller's transaction, that the upstream has to receive the teams of a model group. Returns these teams. */
export const noteChangeOfModelGroup = (entities: SqlEntityManager, modelGroupId: string): Promise<string[]> =>
  note(entities, 'team_model_groups where model_group_id', [modelGroupId]);

/** The same for the teams of access groups: of one that changes, or of those through which an alias is reached. */
export const noteChangeOfAccessGroups = (entities: SqlEntityManager, accessGroupIds: readonly string[]) =>
  note(entities, 'team_access_groups where model_access_group_id', accessGroupIds);
