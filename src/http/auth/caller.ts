import type { Request, Response } from 'express';
import type { CallingTeam } from '../../calls/call-context.ts';
import { callSettings, type TeamOfKey } from '../../db/keys/find-team-by-key.ts';
import type { AdminRole } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';

/** The session of a caller whose credential was a cookie: a person with a browser. `spec 19.1` */
export interface CookieSession {
  sessionId: string;
  expiresAt: Date;
}

/**
 * A team, by its virtual key or a session. `isVerified` is false while the team comes from the key cache: an outcome counts once
 * the key was found unchanged, by the statement that admits a call or by one of its own before a refusal.
 */
export interface TeamCaller extends CallingTeam {
  kind: 'team';
  /** Undefined for a virtual key. */
  cookie?: CookieSession;
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

/** Names the credential for limits and idempotency, without showing any of it. */
export const credentialOf = (caller: Caller): string => {
  switch (caller.kind) {
    case 'team':
      return `team:${caller.teamId}`;
    case 'user':
      return `user:${caller.userId}`;
    default:
      return caller.kind;
  }
};

/** For a route that only teams may use. */
export function teamOf(caller: Caller): TeamCaller {
  if (caller.kind !== 'team') throw refuse('team_key_needed');
  return caller;
}

/** For a route that only admin users may use. */
export function userOf(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw refuse('session_missing');
  return caller;
}

/** A team key sees its own team; an admin sees every one. Compared before anything is looked up. */
export function requireTeam(caller: Caller, teamId: string): void {
  if (caller.kind === 'team' && caller.teamId !== teamId) throw refuse('key_of_another_team', teamId);
}

/** A team key sees the organization of its team; an admin sees every one. */
export function requireOrganization(caller: Caller, organizationId: string): void {
  if (caller.kind === 'team' && caller.organizationId !== organizationId) {
    throw refuse('key_of_another_organization', organizationId);
  }
}

/** Records the owner of the credential for the log line of the request, also if the request is refused. */
export function noteCaller({ res }: Request, caller: Caller): void {
  if (res) res.locals.caller = caller;
}

/** The caller of a request as far as it is known. */
export const notedCaller = ({ locals }: Response): Caller =>
  (locals.caller as Caller | undefined) ?? { kind: 'anonymous' };

/** The caller in the fields of a log line: the kind and the id, never a part of the credential. */
export function callerFields(response: Response): Record<string, string> {
  const caller = notedCaller(response);
  if (caller.kind === 'team') return { caller: 'team', team_id: caller.teamId };
  if (caller.kind === 'user') return { caller: 'user', user_id: caller.userId };
  return { caller: caller.kind };
}

export const teamCaller = (
  hashes: readonly Buffer[],
  team: Omit<TeamOfKey, 'suspended'>,
  { isVerified }: Pick<TeamCaller, 'isVerified'>,
): TeamCaller => ({
  kind: 'team',
  key: { hashes, ...callSettings(team) },
  isVerified,
  teamId: team.team_id,
  organizationId: team.organization_id,
  rpmLimit: team.rpm_limit,
  tpmLimit: team.tpm_limit,
  maxConcurrentCalls: team.max_concurrent_calls,
  jobKeyFrom: team.job_key_from,
  joblessCalls: team.jobless_calls,
});
