import type { TeamOfKey } from '../../db/keys/find-team-by-key.ts';

/** The team of each key when the key was last looked up. Only a guess: a request that uses it has to prove it by a statement of its own. */
export interface KeyCache {
  get(keyHash: Buffer): TeamOfKey | undefined;
  /** Undefined forgets it. */
  note(keyHash: Buffer, team: TeamOfKey | undefined): void;
}

/** More keys than one process sees in a minute. */
const mostKeys = 10_000;

export function createKeyCache(most = mostKeys): KeyCache {
  const teams = new Map<string, TeamOfKey>();
  const nameOf = (keyHash: Buffer) => keyHash.toString('latin1');
  /** Puts the key last in line; the first one, unused for the longest, makes room. */
  const put = (name: string, team: TeamOfKey | undefined) => {
    teams.delete(name);
    if (team) teams.set(name, team);
    if (teams.size > most) teams.delete(teams.keys().next().value!);
  };
  return {
    get(keyHash) {
      const name = nameOf(keyHash);
      const team = teams.get(name);
      if (team) put(name, team);
      return team;
    },
    note: (keyHash, team) => put(nameOf(keyHash), team),
  };
}
