import type { CallingTeam } from '../calls/call-context.ts';
import type { Config } from '../config.ts';
import type { TeamOfKey } from '../db/keys/find-team-by-key.ts';
import type { AdminRole } from '../domain/admin-roles.ts';
import { refuse } from '../errors.ts';

/** The session of a caller whose credential was a cookie: a person with a browser. `spec 19.1` */
export interface CookieSession {
  sessionId: string;
  expiresAt: Date;
}

/** A team, by its virtual key or a session. */
export interface TeamCaller extends CallingTeam {
  kind: 'team';
  /** Undefined for a virtual key. */
  cookie?: CookieSession;
  /** What the cache has of the key, not verified before the statement that admits a call. Absent: it was read for this request. */
  cached?: TeamOfKey;
  /** The admin user who views the console as this team, and only reads: `spec 19.17`. */
  viewer?: UserCaller;
}

export interface UserCaller {
  kind: 'user';
  userId: string;
  email: string;
  role: AdminRole;
  sessionId: string;
  /** Undefined for an access token. */
  cookie?: CookieSession;
}

/** The caller of a request. `platform` is the holder of MASTER_KEY, by either header. */
export type Caller = { kind: 'anonymous' } | { kind: 'platform' } | TeamCaller | UserCaller;

/** The session of a caller that was identified by a cookie. */
export const cookieOf = (caller: Caller): CookieSession | undefined =>
  caller.kind === 'team' || caller.kind === 'user' ? caller.cookie : undefined;

/** Whether the caller is shown what calls cost: on pages of a team by the setting, to a key always. `spec 19.80` */
export const seesCost = (caller: Caller, config: Pick<Config, 'SHOW_COST_TO_TEAMS'>): boolean =>
  caller.kind !== 'team' || !caller.cookie || config.SHOW_COST_TO_TEAMS;

/** Whether an admin reads as a team. */
export const isView = (caller: Caller): boolean => caller.kind === 'team' && caller.viewer !== undefined;

/** Names the credential for limits and idempotency, without showing any of it. */
export const credentialOf = (caller: Caller): string => {
  switch (caller.kind) {
    case 'team':
      return caller.viewer ? credentialOf(caller.viewer) : `team:${caller.teamId}`;
    case 'user':
      return `user:${caller.userId}`;
    default:
      return caller.kind;
  }
};

/** Refuses a caller of a route that only teams may use. */
export function requireTeamCaller(caller: Caller): TeamCaller {
  if (caller.kind !== 'team') throw refuse('team_key_needed');
  return caller;
}

/** Refuses a caller of a route that only admin users may use. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw refuse('session_missing');
  return caller;
}

/** Refuses a team where it and admins may use the route, and this only admins. */
export function requireAdmin(caller: Caller): void {
  if (caller.kind === 'team') throw refuse('role_insufficient');
}

/** A team key sees its own team; an admin sees every one. Compared before anything is looked up. */
export function requireTeam(caller: Caller, teamId: string): void {
  if (caller.kind === 'team' && caller.teamId !== teamId) throw refuse('key_of_another_team', teamId);
}

/** The same for a record whose id does not name its team: it is looked up first. One without a team is for admins. */
export function requireOwnRecord(
  caller: Caller,
  { team_id }: { team_id?: string | null | undefined },
  code: 'job_of_another_team' | 'webhook_of_another_team',
): void {
  if (caller.kind === 'team' && caller.teamId !== team_id) throw refuse(code);
}

/** The team whose rows a caller sees: a team its own only, an admin those of the team that is asked for, or of every one. */
export const visibleTeam = (caller: Caller, askedFor?: string): string | undefined =>
  caller.kind === 'team' ? caller.teamId : askedFor;

/** A team key sees the organization of its team; an admin sees every one. */
export function requireOrganization(caller: Caller, organizationId: string): void {
  if (caller.kind === 'team' && caller.organizationId !== organizationId) {
    throw refuse('key_of_another_organization', organizationId);
  }
}
