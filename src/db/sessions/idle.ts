/** A session by cookie was used within `:idle_seconds`. One that was opened otherwise counts from its login. */
export const notIdle = (session: string): string =>
  `coalesce(${session}.seen_at, ${session}.created_at) > now() - make_interval(secs => :idle_seconds)`;

/** The CTE that notes the use of the session in `found`, at most once a minute: most requests write nothing. */
export const touch = (table: 'admin_sessions' | 'team_sessions'): string => `
  touched as (
    update ${table} s set seen_at = now()
      from found
     where s.session_id = found.session_id and coalesce(s.seen_at, s.created_at) < now() - interval '1 minute'
  )`;
