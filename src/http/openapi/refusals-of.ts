import { type RefusalCode, refusals } from '../../errors.ts';
import { isIdempotent } from '../idempotency/idempotency-key.ts';
import { takesBody } from '../read-body.ts';
import type { Audience, RouteSpec } from '../route.ts';

const forTeams = (auth: readonly Audience[]) => auth.includes('team');
const forAdmins = (auth: readonly Audience[]) => auth.includes('admin');

/** As `authenticate.ts` refuses. */
function credentialRefusals(auth: readonly Audience[]): RefusalCode[] {
  if (auth.length === 0) return [];
  const unknown: RefusalCode[] = forTeams(auth)
    ? ['key_missing', 'key_invalid', 'team_suspended']
    : forAdmins(auth)
      ? ['admin_key_missing', 'admin_key_invalid']
      : ['session_missing', 'session_invalid'];
  if (forTeams(auth) && !forAdmins(auth)) unknown.push('team_key_needed');
  if (!auth.includes('user')) unknown.push('role_insufficient');
  return unknown;
}

/** Counts against a limit: `rulings.md` 9. */
export const isLimited = (spec: RouteSpec): boolean =>
  spec.limit === 'management' ||
  Boolean(spec.errors?.some((code) => code === 'rate_limited' || code === 'too_many_logins'));

/** Touches what may be away. Probes tell it instead. */
const needsDatabase = (spec: RouteSpec): boolean => spec.path.startsWith('/api/');

const when = (condition: boolean, ...codes: RefusalCode[]): RefusalCode[] => (condition ? codes : []);

/** Every refusal of a route: those it names, and those that routes of its kind have. */
export function refusalsOf(spec: RouteSpec): RefusalCode[] {
  const all: RefusalCode[] = [
    'request_malformed',
    ...credentialRefusals(spec.auth),
    'body_too_large',
    ...when(takesBody(spec), 'body_not_readable'),
    ...(spec.errors ?? []),
    ...when(isIdempotent(spec), 'request_in_progress'),
    ...when(spec.limit === 'management', 'rate_limited'),
    ...when(needsDatabase(spec), 'internal_error', 'unavailable'),
  ];
  return [...new Set(all)];
}

/** The sentence as the documentation shows it, with `…` for what it says of the request. */
export const detailOf = (code: RefusalCode): string => {
  const detail = refusals[code].detail as (...parameters: string[]) => string;
  return detail(...Array<string>(detail.length).fill('…'));
};
