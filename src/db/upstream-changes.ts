/** A statement that changes what the upstream has to know of a team says so; `source` is the CTE with its `team_id`. */
export const upstreamChange = (source: string) => `
  insert into upstream_changes as u (team_id) select team_id from ${source}
  on conflict (team_id) do update set version = excluded.version, changed_at = clock_timestamp()`;
