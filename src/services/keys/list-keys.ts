import { maskKey } from '../../auth/virtual-key-format.ts';
import { type FirstKeyRow, listFirstKeys } from '../../db/keys/list-first-keys.ts';
import { listTeamKeys, type TeamKeyRow } from '../../db/keys/list-team-keys.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

export interface FirstKey extends Omit<FirstKeyRow, 'key_sealed'> {
  /** Null: `MASTER_KEY` does not open it. */
  key_hint: string | null;
}

export interface KeysOfTeam {
  /** The current one first, then those that serve on after a rotation. */
  firstKeys: FirstKey[];
  /** The oldest first. */
  furtherKeys: TeamKeyRow[];
}

/** All keys of a team that are valid, and its further keys that have expired. */
export async function listKeys(context: ServiceContext, teamId: string): Promise<KeysOfTeam> {
  const { database, secrets } = context.deps;
  await requireOwnTeam(context, teamId);
  const [firstKeys, furtherKeys] = await Promise.all([listFirstKeys(database, teamId), listTeamKeys(database, teamId)]);
  const hintOf = (sealed: Buffer): string | null => {
    try {
      return maskKey(secrets.open(sealed, teamId));
    } catch {
      return null;
    }
  };
  return {
    firstKeys: firstKeys.map(({ key_sealed, ...key }) => ({ ...key, key_hint: hintOf(key_sealed) })),
    furtherKeys,
  };
}
