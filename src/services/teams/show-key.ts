import { maskKey } from '../../auth/virtual-key-format.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { findCurrentSealedKey, findSealedKey, viewCurrentSealedKey } from '../../db/keys/find-sealed-key.ts';
import type { TeamRow } from '../../db/teams/find-team.ts';
import { refuse } from '../../errors.ts';
import { cookieOf } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { getTeamForCaller, requireOwnTeam } from './read-teams.ts';

/** The current key of a team for an admin, in plain text. */
export async function revealKey(context: ServiceContext, teamId: string): Promise<string> {
  await requireOwnTeam(context, teamId);
  return viewCurrentKey(context, teamId, 'revealed_key');
}

/**
 * A team with its key. A team is shown the key of its request, never a successor of it; an admin the current key, which is audited. With
 * a cookie only the end of the key is shown.
 */
export async function getTeamWithKey(
  context: ServiceContext,
  teamId: string,
): Promise<{ team: TeamRow; virtualKey: string }> {
  const { caller } = context;
  const team = await getTeamForCaller(context, teamId);
  if (cookieOf(caller)) return { team, virtualKey: maskKey(await ownKey(context, teamId)) };
  const virtualKey = await (caller.kind === 'team'
    ? ownKey(context, teamId)
    : viewCurrentKey(context, teamId, 'viewed_key'));
  return { team, virtualKey };
}

async function ownKey({ deps, caller }: ServiceContext, teamId: string): Promise<string> {
  const sealed =
    caller.kind === 'team' && !caller.viewer
      ? await findSealedKey(deps.database, caller.key.hashes)
      : await findCurrentSealedKey(deps.database, teamId);
  if (!sealed) throw caller.kind === 'team' ? refuse('key_invalid') : refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}

/** The audit entry is written by the statement that reads the key. */
async function viewCurrentKey(
  context: ServiceContext,
  teamId: string,
  action: 'viewed_key' | 'revealed_key',
): Promise<string> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, { action, resource_type: 'team', resource_id: teamId });
  const sealed = await viewCurrentSealedKey(deps.database, teamId, entry);
  if (!sealed) throw refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}
