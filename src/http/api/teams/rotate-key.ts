import { KeyRotation, RotatedKey, TeamParams } from '../../../contracts/teams.ts';
import { rotateKey as rotate } from '../../../services/teams/rotate-key.ts';
import { route } from '../../route.ts';

export const rotateKey = route(
  {
    operationId: 'rotateTeamKey',
    method: 'post',
    path: '/api/teams/{team_id}/rotate-key',
    summary: 'Give a team a new key; the previous one ends after a period of grace',
    description: 'Keys that serve on from earlier rotations end with the previous one at the latest.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    body: { schema: KeyRotation.meta({ example: { grace_seconds: 3_600 } }), isOptional: true },
    response: RotatedKey,
    errors: ['team_not_found', 'team_has_no_key', 'upstream_registration_failed'],
  },
  async (context) => {
    const { team_id } = context.params;
    const { virtualKey, previousKeyExpiresAt } = await rotate(context, team_id, context.body.grace_seconds ?? 0);
    return { team_id, virtual_key: virtualKey, previous_key_expires_at: previousKeyExpiresAt.toISOString() };
  },
);
