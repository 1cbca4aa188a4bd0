import type { Request, Response } from 'express';
import { isTeamSessionToken } from '../../auth/team-session-token.ts';
import { isGenuineToken } from '../../auth/tokens.ts';
import { findCookieSessionUser } from '../../db/admin-users/find-session-user.ts';
import type { SessionUse } from '../../db/sessions/idle.ts';
import { findTeamSession } from '../../db/team-sessions/find-team-session.ts';
import { refuse } from '../../errors.ts';
import type { Caller, TeamCaller, UserCaller } from '../../services/caller.ts';
import { teamCaller } from '../../services/team-caller.ts';
import type { Deps } from '../ports.ts';
import type { RouteAccess } from '../route.ts';
import { noteCaller } from './noted-caller.ts';
import { isBackgroundRequest, isFromOwnPage, newSessionCookie, readSessionTokens } from './session-cookie.ts';

/**
 * The caller of a request without another credential, by the cookie of its session; undefined without a cookie. Throws 401 for a
 * session that has ended, and 403 for what another page sent or the session may not do. `spec 19.3`
 */
export async function callerOfCookie(
  deps: Deps,
  request: Request,
  { access: { audience, openToTeamSessions = false }, method, streams }: RouteAccess,
): Promise<Caller | undefined> {
  if (request.headers['x-admin-key'] !== undefined) return undefined;
  const tokens = readSessionTokens(deps, request);
  if (tokens.length === 0) return undefined;
  if (request.res) forbidCaching(request.res);
  const cookie = newSessionCookie(deps, request);
  if (method !== 'get' && !isFromOwnPage(request)) throw refuse('cross_site_request');
  if (cookie.isFromOtherOrigin) return undefined;
  // A stream is opened again and again by itself.
  const isUse = !streams && !isBackgroundRequest(request);
  const caller = await findFirst<UserCaller | TeamCaller>(tokens, (token) =>
    isTeamSessionToken(token) ? findTeam(deps, token, isUse) : findUser(deps, token, isUse),
  );
  if (!caller) throw refuse('session_ended').with({ 'Set-Cookie': cookie.clearCookie });
  noteCaller(request, caller);
  if (caller.kind === 'team') {
    if (!audience.includes('team')) throw refuse('role_insufficient');
    if (method !== 'get' && !openToTeamSessions) throw refuse('session_read_only');
  }
  return caller;
}

/** What the first token finds that finds anything. There are several where another path or domain has set a cookie of this name. */
async function findFirst<T>(tokens: string[], find: (token: string) => Promise<T | undefined>): Promise<T | undefined> {
  for (const token of tokens) {
    const found = await find(token);
    if (found) return found;
  }
  return undefined;
}

/** Forbids caching, as with the other credentials: `spec 1.14`. A route may set something stricter. */
function forbidCaching(response: Response): void {
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-store');
  response.vary('Authorization, X-Admin-Key, Cookie');
}

const newSessionUse = ({ config }: Pick<Deps, 'config'>, isUse: boolean): SessionUse => ({
  idle_seconds: config.CONSOLE_IDLE_TIMEOUT / 1_000,
  is_use: isUse,
});

async function findUser(deps: Deps, token: string, isUse: boolean): Promise<UserCaller | undefined> {
  if (!isGenuineToken(deps.secrets.jwtKeys, token)) return undefined;
  const user = await findCookieSessionUser(deps.database, deps.secrets.lookupHashes(token), newSessionUse(deps, isUse));
  return (
    user && {
      kind: 'user',
      userId: user.user_id,
      email: user.email,
      role: user.role,
      sessionId: user.session_id,
      cookie: { sessionId: user.session_id, expiresAt: user.expires_at },
    }
  );
}

async function findTeam(deps: Deps, token: string, isUse: boolean): Promise<TeamCaller | undefined> {
  const team = await findTeamSession(deps.database, deps.secrets.lookupHashes(token), newSessionUse(deps, isUse));
  if (!team) return undefined;
  const cookie = { sessionId: team.session_id, expiresAt: team.expires_at };
  return { ...teamCaller([team.key_hash], team), cookie };
}
