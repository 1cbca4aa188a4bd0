import type { Request } from 'express';
import { isGenuineToken, maxTokenCharacters } from '../../auth/tokens.ts';
import { hashVirtualKey } from '../../auth/virtual-key-format.ts';
import { findSessionUser } from '../../db/admin-users/find-session-user.ts';
import { findTeamByKey } from '../../db/keys/find-team-by-key.ts';
import { type Refusal, refuse } from '../../errors.ts';
import type { Caller, TeamCaller, UserCaller } from '../../services/caller.ts';
import { teamCaller } from '../../services/team-caller.ts';
import { isNewCall } from '../idempotency/idempotency-key.ts';
import type { Deps } from '../ports.ts';
import type { Audience, RouteAccess } from '../route.ts';
import { callerOfCookie } from './cookie-session.ts';
import { noteCaller } from './noted-caller.ts';
import { viewAsTeam } from './view-as-team.ts';

/** RFC 9110, 11.4: one space or several after the scheme, whose case does not matter. */
const bearer = /^Bearer +([\x21-\x7e]+)$/i;

type Credential = { kind: 'none' } | { kind: 'malformed' } | { kind: 'admin_key' | 'bearer'; token: string };

/** If both are present, the admin key decides: rights are never combined. */
function readCredential(request: Request, audience: readonly Audience[]): Credential {
  const adminKey = request.headers['x-admin-key'];
  const takesAdminKey = audience.includes('admin') || audience.includes('team');
  if (typeof adminKey === 'string' && takesAdminKey) return { kind: 'admin_key', token: adminKey };
  const { authorization } = request.headers;
  if (authorization === undefined) return readApiKey(request);
  const token = authorization.length <= maxTokenCharacters ? bearer.exec(authorization)?.[1] : undefined;
  return token ? { kind: 'bearer', token } : { kind: 'malformed' };
}

const visible = /^[\x21-\x7e]+$/;

/** The header of Anthropic's clients, below /v1. An Authorization decides if both are sent. `spec 28.2` */
function readApiKey({ path, headers }: Request): Credential {
  const token = headers['x-api-key'];
  if (!path.startsWith('/v1/') || typeof token !== 'string' || token === '') return { kind: 'none' };
  return token.length <= maxTokenCharacters && visible.test(token) ? { kind: 'bearer', token } : { kind: 'malformed' };
}

const sessionsOnly = (audience: readonly Audience[]): boolean =>
  !audience.includes('admin') && !audience.includes('team');

/** The refusals of a missing and of an invalid credential: their text depends on the credential that the route requires. */
export function codesOf401(audience: readonly Audience[]) {
  if (audience.includes('team')) return { missing: 'key_missing', unknown: 'key_invalid' } as const;
  if (audience.includes('admin')) return { missing: 'admin_key_missing', unknown: 'admin_key_invalid' } as const;
  return { missing: 'session_missing', unknown: 'session_invalid' } as const;
}

const missing = (audience: readonly Audience[]): Refusal => refuse(codesOf401(audience).missing);
const unknown = (audience: readonly Audience[]): Refusal => refuse(codesOf401(audience).unknown);

async function identify(deps: Deps, request: Request, spec: RouteAccess): Promise<Caller> {
  const { audience } = spec.access;
  const credential = readCredential(request, audience);
  if (credential.kind === 'none') {
    const caller = await callerOfCookie(deps, request, spec);
    if (!caller) throw missing(audience);
    return caller;
  }
  if (credential.kind === 'malformed') throw unknown(audience);
  const { kind, token } = credential;
  if (deps.secrets.isMasterKey(token)) return { kind: 'platform' };
  if (kind === 'admin_key') throw unknown(audience);
  if (token.startsWith('sk-')) return identifyTeam(deps, request, spec, token);
  const session = await findSession(deps, token);
  if (!session) throw unknown(audience);
  return session;
}

async function identifyTeam(deps: Deps, request: Request, spec: RouteAccess, virtualKey: string): Promise<TeamCaller> {
  const { audience } = spec.access;
  const keyHashes = hashVirtualKey(deps.secrets, virtualKey);
  if (!keyHashes) throw unknown(audience);
  const mayBeCached = isNewCall(spec, request);
  const cached = mayBeCached ? deps.keyCache.get(keyHashes) : undefined;
  const team = cached ?? (await findTeamByKey(deps.database, keyHashes));
  if (!team) throw unknown(audience);
  const caller = { ...teamCaller(keyHashes, team), ...(cached && { cached }) };
  noteCaller(request, caller);
  deps.keyUses.note(keyHashes);
  // A team key is a credential for the routes of teams only. On other routes it is invalid, whatever the status of its team.
  if (!audience.includes('team')) throw unknown(audience);
  if (team.suspended) throw refuse('team_suspended', team.team_id);
  if (mayBeCached && !cached) deps.keyCache.set(keyHashes, team);
  return caller;
}

/** Refuses a valid credential without the right to use the route: 401 if it is of the wrong kind, else 403. */
function authorize(caller: Caller, audience: readonly Audience[]): void {
  if (caller.kind === 'team') return;
  if (caller.kind === 'platform') {
    if (audience.includes('admin')) return;
    throw sessionsOnly(audience) ? unknown(audience) : refuse('team_key_needed');
  }
  if (caller.kind === 'user') {
    if (audience.includes('user')) return;
    if (caller.role === 'user') throw refuse('role_insufficient');
    if (audience.includes('admin') || audience.includes('admin_user')) return;
    throw refuse('team_key_needed');
  }
}

/**
 * Refuses what the setting does not permit. Wrong keys are not counted here: every route of an admin compares the same value, and
 * a comparison costs less than the rest of the request.
 */
function requireSetting(
  { config, secrets }: Deps,
  { headers }: Request,
  setting: RouteAccess['access']['protectedBy'],
): void {
  if (setting === undefined || config[setting] === 'open') return;
  if (config[setting] === 'off') throw refuse('setup_off');
  const adminKey = headers['x-admin-key'];
  if (typeof adminKey !== 'string') throw missing(['admin']);
  if (!secrets.isMasterKey(adminKey)) throw unknown(['admin']);
}

/** The caller, if it may use this route; else throws a 401 or 403. `spec 2.2` */
export async function authenticate(deps: Deps, request: Request, spec: RouteAccess): Promise<Caller> {
  const { audience, mayUse, protectedBy } = spec.access;
  requireSetting(deps, request, protectedBy);
  if (audience.length === 0) return { kind: 'anonymous' };
  const identified = await identify(deps, request, spec);
  const caller = await viewAsTeam(deps, request, spec, identified);
  noteCaller(request, caller);
  authorize(caller, audience);
  if (mayUse && !mayUse(caller, request.params)) throw refuse('role_insufficient');
  return caller;
}

/** The admin user of this access token; undefined when the token is not ours, has expired or was revoked. */
async function findSession({ secrets, database }: Deps, token: string): Promise<UserCaller | undefined> {
  if (!isGenuineToken(secrets.jwtKeys, token)) return undefined;
  const user = await findSessionUser(database, secrets.lookupHashes(token));
  if (!user) return undefined;
  return { kind: 'user', userId: user.user_id, email: user.email, role: user.role, sessionId: user.session_id };
}
