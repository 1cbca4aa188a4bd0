/**
 * Notes, in a statement that changes what the upstream has to know of teams, which teams; `source` is the CTE with their
 * `team_id`. Always in the same order, so that two changes with teams in common do not deadlock.
 */
export const upstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source} order by team_id
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;
