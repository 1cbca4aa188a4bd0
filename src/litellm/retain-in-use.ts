import type { EndingKey, UpstreamTeamRow } from '../db/upstream-teams/find-upstream-team.ts';
import type { UpstreamTeam } from './registration-requests.ts';

/** What the upstream can be told of a team now. */
export interface Spared {
  team: UpstreamTeam;
  ending_keys: EndingKey[];
  /** False: the rest can be told when the calls under way have ended. */
  isAll: boolean;
}

/**
 * Calls under way finish (`spec 2.4`), and their models were chosen before them (`spec 4.1`): a fallback may still need a model
 * that was taken from the team, a suspended team, or a key that was rotated away. No other call can use them, because new calls
 * are refused here.
 */
export function retainInUse(team: UpstreamTeam, row: UpstreamTeamRow): Spared {
  const { models_under_way, old_key_under_way } = row;
  const models = [...new Set([...team.models, ...models_under_way])];
  const suspended = team.suspended && models_under_way.length === 0;
  const ending_keys = old_key_under_way ? [] : row.ending_keys;
  return {
    team: { ...team, models, suspended },
    ending_keys,
    isAll:
      models.length === team.models.length &&
      suspended === team.suspended &&
      ending_keys.length === row.ending_keys.length,
  };
}
