import { type RefusalCode, refusals } from '../../errors.ts';
import { codesOf401 } from '../auth/authenticate.ts';
import { readsBody } from '../body/receive-body.ts';
import { isIdempotent } from '../idempotency/idempotency-key.ts';
import type { Audience, RouteSpec } from '../route.ts';

const when = (condition: boolean, ...codes: RefusalCode[]): RefusalCode[] => (condition ? codes : []);
const forTeams = (auth: readonly Audience[]) => auth.includes('team');
const forAdmins = (auth: readonly Audience[]) => auth.includes('admin');

function credentialRefusals({ access: { audience: auth, openToTeamSessions }, method }: RouteSpec): RefusalCode[] {
  if (auth.length === 0) return [];
  return [
    ...Object.values(codesOf401(auth)),
    'session_ended',
    ...when(forTeams(auth), 'team_suspended'),
    ...when(forTeams(auth) && !forAdmins(auth), 'team_key_needed'),
    ...when(!auth.includes('user') || !forTeams(auth), 'role_insufficient'),
    ...when(method !== 'get', 'cross_site_request', 'team_view_read_only'),
    ...when(method === 'get' && forTeams(auth) && forAdmins(auth), 'team_view_not_open'),
    ...when(method !== 'get' && forTeams(auth) && !openToTeamSessions, 'session_read_only'),
  ];
}

/** Whether the route has a limit of its own, whose headers its answers have. */
export const isLimited = (spec: RouteSpec): boolean =>
  spec.limits?.rate === 'management' ||
  Boolean(spec.errors?.some((code) => code === 'rate_limited' || code === 'too_many_logins'));

/** Every refusal of a route: those of its spec, and those that all routes of its kind have. */
export function refusalsOf(spec: RouteSpec): RefusalCode[] {
  const all: RefusalCode[] = [
    'request_malformed',
    'host_not_served',
    ...credentialRefusals(spec),
    ...when(spec.access.protectedBy !== undefined, ...Object.values(codesOf401(['admin'])), 'setup_off'),
    'body_too_large',
    ...when(readsBody(spec), 'body_not_readable'),
    ...(spec.errors ?? []),
    ...when(isIdempotent(spec), 'request_in_progress'),
    'rate_limited',
    ...when(spec.needsDatabase !== false, 'internal_error', 'unavailable'),
  ];
  return [...new Set(all)];
}

/** The text of a refusal for the documentation, with `…` for what depends on the request. */
export const detailOf = (code: RefusalCode): string => {
  const detail = refusals[code].detail as (...parameters: string[]) => string;
  return detail(...Array<string>(detail.length).fill('…'));
};
