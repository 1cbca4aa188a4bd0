import type { TeamOfKey } from '../db/queries/find-team-by-key.ts';

/** What keys said when they were last looked up. Only ever a guess: whoever uses it has to find it true by a statement of his own. */
export interface KnownKeys {
  get(keyHash: Buffer): TeamOfKey | undefined;
  /** Undefined forgets it. */
  note(keyHash: Buffer, team: TeamOfKey | undefined): void;
}

/** More teams than one process has in a minute. */
const mostKeys = 10_000;

export function createKnownKeys(most = mostKeys): KnownKeys {
  const teams = new Map<string, TeamOfKey>();
  const nameOf = (keyHash: Buffer) => keyHash.toString('latin1');
  return {
    get: (keyHash) => teams.get(nameOf(keyHash)),
    note(keyHash, team) {
      const name = nameOf(keyHash);
      teams.delete(name);
      if (team) teams.set(name, team);
      if (teams.size > most) teams.delete(teams.keys().next().value!);
    },
  };
}
