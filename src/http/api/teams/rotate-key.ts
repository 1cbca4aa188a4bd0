import { generateVirtualKey } from '../../../auth/virtual-key.ts';
import { KeyRotation, RotatedKey, TeamParams } from '../../../contracts/teams.ts';
import { findSealedKey } from '../../../db/keys/find-sealed-key.ts';
import { rotateKey as rotate } from '../../../db/keys/rotate-key.ts';
import { findUpstreamTeam } from '../../../db/upstream-teams/find-upstream-team.ts';
import { refuse } from '../../../errors.ts';
import { toUpstreamTeam } from '../../../litellm/registration-requests.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { requireOwnTeam } from './support/get-team-for-caller.ts';

/** The key that this operation issues, or has issued under the previous MASTER_KEY, before its process died. */
async function keyOfOperation({ secrets, database }: Deps, operationId: string): Promise<string> {
  const previousSeed = secrets.previousKeySeed(operationId);
  const issued = previousSeed && generateVirtualKey(previousSeed);
  if (issued && (await findSealedKey(database, secrets.lookupHashes(issued)))) return issued;
  return generateVirtualKey(secrets.keySeed(operationId));
}

export const rotateKey = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/rotate-key',
    summary: 'Give a team a new key; the previous one ends after a period of grace',
    description: 'Keys that serve on from earlier rotations end with the previous one at the latest.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    body: { schema: KeyRotation, isOptional: true },
    response: RotatedKey,
    errors: ['team_not_found', 'team_has_no_key', 'upstream_registration_failed'],
    example: { body: { grace_seconds: 3_600 } },
  },
  async (context) => {
    const { deps, caller, params, body, newId } = context;
    const { team_id } = params;
    await requireOwnTeam(deps, caller, team_id);
    const row = await findUpstreamTeam(deps.database, team_id);
    if (!row) throw refuse('team_has_no_key', team_id);

    // The upstream gets the new key before any client does; if the process dies in between, the same request finds the key there.
    const virtual_key = await keyOfOperation(deps, newId('virtual_key'));
    await deps.registration.addKey({ ...toUpstreamTeam(row, deps.secrets), virtual_key });
    const previousEnd = await rotate(deps.database, context, {
      team_id,
      key_hash: deps.secrets.lookupHash(virtual_key),
      key_sealed: deps.secrets.seal(virtual_key, team_id),
      grace_seconds: body.grace_seconds ?? 0,
      audit_id: newId('audit'),
    });
    deps.changes.publish('teams', { team_id });
    await syncTeams(deps, [team_id]);

    return {
      team_id,
      virtual_key,
      previous_key_expires_at: previousEnd.toISOString(),
    };
  },
);
