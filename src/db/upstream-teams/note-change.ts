import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { type Statement, unnamed } from '../sql/statement.ts';

/**
 * Notes, in a statement that changes what the upstream has to know of teams, which teams; `source` is the CTE with their
 * `team_id`. Always in the same order, so that two changes with teams in common do not deadlock.
 */
export const upstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source} order by team_id
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;

const teamSql = unnamed(`with changed as (select :team_id::text as team_id) ${upstreamChange('changed')}`);

const teamsSql = (teams: string): Statement =>
  unnamed(`
    with changed as (select distinct team_id from ${teams} = any (:ids::uuid[])), noted as (${upstreamChange('changed')})
    select team_id from changed order by team_id`);
const teamsOfModelGroupSql = teamsSql('team_model_groups where model_group_id');
const teamsOfAccessGroupsSql = teamsSql('team_access_groups where model_access_group_id');

/** Notes, in the caller's transaction, that the upstream has to receive the team. */
export const noteUpstreamChange = (entities: SqlEntityManager, teamId: string) =>
  executeIn(entities, teamSql, { team_id: teamId });

const note = async (entities: SqlEntityManager, sql: Statement, ids: readonly string[]): Promise<string[]> => {
  const rows = await executeIn<{ team_id: string }>(entities, sql, { ids: `{${ids.join(',')}}` });
  return rows.map((row) => row.team_id);
};

/** Notes, in the caller's transaction, that the upstream has to receive the teams of a model group. Returns these teams. */
export const noteChangeOfModelGroup = (entities: SqlEntityManager, modelGroupId: string): Promise<string[]> =>
  note(entities, teamsOfModelGroupSql, [modelGroupId]);

/** The same for the teams of access groups: of one that changes, or of those through which an alias is reached. */
export const noteChangeOfAccessGroups = (entities: SqlEntityManager, accessGroupIds: readonly string[]) =>
  note(entities, teamsOfAccessGroupsSql, accessGroupIds);
