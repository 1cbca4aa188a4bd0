import { auditEntry } from '../../../../db/audit/audit-entry.ts';
import { viewCurrentSealedKey } from '../../../../db/keys/find-sealed-key.ts';
import { refuse } from '../../../../errors.ts';
import type { RequestContext } from '../../../route.ts';

/** The current key of a team for an admin, in plain text: the audit entry is written by the statement that reads it. */
export async function viewCurrentKey(
  context: RequestContext,
  teamId: string,
  action: 'viewed_key' | 'revealed_key',
): Promise<string> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, { action, resource_type: 'team', resource_id: teamId });
  const sealed = await viewCurrentSealedKey(deps.database, teamId, entry);
  if (!sealed) throw refuse('team_has_no_key', teamId);
  return deps.secrets.open(sealed, teamId);
}
