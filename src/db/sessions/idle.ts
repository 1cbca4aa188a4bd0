/** What `notIdle` and `touch` need of a request with a session by cookie. */
export interface SessionUse {
  idle_seconds: number;
  /** False: a page has sent it by itself, and the session goes on as if it had not. */
  is_use: boolean;
}

/** A session by cookie was used within `:idle_seconds`; before its first use that is noted, it counts from its login. */
export const notIdle = (session: string): string =>
  `coalesce(${session}.seen_at, ${session}.created_at) > now() - make_interval(secs => :idle_seconds)`;

/**
 * The CTE that notes the use of the session in `found`, at most once a minute, or ten times in a shorter idle time: most requests
 * write nothing. A page locks itself before this is too old: `console/src/layout/idle-lock.ts`.
 */
export const touch = (table: 'admin_sessions' | 'team_sessions'): string => `
  touched as (
    update ${table} s set seen_at = now()
      from found
     where s.session_id = found.session_id and :is_use::boolean
       and coalesce(s.seen_at, s.created_at) < now() - make_interval(secs => least(60, :idle_seconds / 10.0))
  )`;
