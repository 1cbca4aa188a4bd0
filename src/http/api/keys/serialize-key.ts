import type { z } from 'zod';
import type { TeamKey } from '../../../contracts/keys.ts';
import type { TeamKeyRow } from '../../../db/keys/list-team-keys.ts';

export const serializeKey = (key: TeamKeyRow): z.input<typeof TeamKey> => ({
  ...key,
  expires_at: key.expires_at?.toISOString() ?? null,
  created_at: key.created_at.toISOString(),
});
