/**
 * A statement that changes what the upstream has to know of teams says so; `source` is the CTE with their `team_id`. In one
 * order everywhere, so that two changes with teams in common wait for each other and not both.
 */
export const upstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source} order by team_id
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;
