import type { Request } from 'express';
import { findTeamView } from '../../db/team-views/find-team-view.ts';
import { refuse } from '../../errors.ts';
import type { Caller } from '../../services/caller.ts';
import { teamCaller } from '../../services/team-caller.ts';
import type { Deps } from '../ports.ts';
import type { RouteAccess } from '../route.ts';

/**
 * The team that a request names in `X-View-As-Team`, for an admin whose session has opened a view of it; without the header the caller.
 * A view only reads, and what the admin may not read without it stays closed. Why a header: decision 131. `spec 19.18`
 */
export async function viewAsTeam(
  { database }: Deps,
  { headers }: Request,
  { access: { audience }, method }: RouteAccess,
  caller: Caller,
): Promise<Caller> {
  const header = headers['x-view-as-team'];
  if (header === undefined) return caller;
  if (method !== 'get') throw refuse('team_view_read_only');
  if (!audience.includes('team')) throw refuse('role_insufficient');
  if (!audience.includes('admin')) throw refuse('team_key_needed');
  const teamId = decode(String(header));
  if (caller.kind !== 'user' || caller.role === 'user') throw refuse('team_view_not_open', teamId);
  const team = await findTeamView(database, caller.sessionId, teamId);
  if (!team) throw refuse('team_view_not_open', teamId);
  const cookie = { sessionId: caller.sessionId, expiresAt: team.expires_at };
  return { ...teamCaller([], team), cookie, viewer: caller };
}

/** Percent-encoded: the id of a team may have any characters. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
