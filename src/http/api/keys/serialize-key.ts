import type { z } from 'zod';
import type { FirstKey, TeamKey } from '../../../contracts/keys.ts';
import type { TeamKeyRow } from '../../../db/keys/list-team-keys.ts';
import type { FirstKey as ListedFirstKey } from '../../../services/keys/list-keys.ts';

const times = ({
  expires_at,
  created_at,
  last_used_at,
}: Pick<TeamKeyRow, 'expires_at' | 'created_at' | 'last_used_at'>) => ({
  expires_at: expires_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});

export const serializeKey = (key: TeamKeyRow): z.input<typeof TeamKey> => ({ ...key, ...times(key) });

export const serializeFirstKey = (key: ListedFirstKey): z.input<typeof FirstKey> => ({
  key_hint: key.key_hint,
  ...times(key),
});
