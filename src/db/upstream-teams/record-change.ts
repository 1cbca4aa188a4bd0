import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { type Statement, unnamed } from '../sql/statement.ts';

/**
 * Records, in a statement that changes what the upstream has to receive of teams, which teams; `source` is the CTE with their
 * `team_id`. Always in the same order, so that two changes with teams in common do not deadlock.
 */
export const insertUpstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source} order by team_id
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;

const teamSql = unnamed(`with changed as (select :team_id::text as team_id) ${insertUpstreamChange('changed')}`);

const teamsSql = (table: string, groupId: string): Statement =>
  unnamed(`
    with changed as (
      select distinct team_id from ${table} where ${groupId} = any (:group_ids::uuid[])
    ), upstream_change as (${insertUpstreamChange('changed')})
    select team_id from changed order by team_id`);
const teamsOfModelGroupSql = teamsSql('team_model_groups', 'model_group_id');
const teamsOfAccessGroupsSql = teamsSql('team_access_groups', 'model_access_group_id');

/** Records, in the caller's transaction, that the upstream has to receive the team. */
export const recordUpstreamChange = (entities: SqlEntityManager, teamId: string) =>
  executeIn(entities, teamSql, { team_id: teamId });

/** The same outside a transaction. */
export const recordTeamChange = (database: Database, teamId: string) => database.query(teamSql, { team_id: teamId });

const recordChange = async (
  entities: SqlEntityManager,
  sql: Statement,
  groupIds: readonly string[],
): Promise<string[]> => {
  const rows = await executeIn<{ team_id: string }>(entities, sql, { group_ids: groupIds });
  return rows.map((row) => row.team_id);
};

/** Records, in the caller's transaction, that the upstream has to receive the teams of a model group. Returns these teams. */
export const recordChangeOfModelGroup = (entities: SqlEntityManager, modelGroupId: string): Promise<string[]> =>
  recordChange(entities, teamsOfModelGroupSql, [modelGroupId]);

/** The same for the teams of access groups: of one that changes, or of those through which an alias is reached. */
export const recordChangeOfAccessGroups = (entities: SqlEntityManager, accessGroupIds: readonly string[]) =>
  recordChange(entities, teamsOfAccessGroupsSql, accessGroupIds);
