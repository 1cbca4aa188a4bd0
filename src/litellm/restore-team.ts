import { findUpstreamTeam } from '../db/upstream-teams/find-upstream-team.ts';
import { recordTeamChange } from '../db/upstream-teams/record-change.ts';
import { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import { toUpstreamTeam } from './registration-requests.ts';
import { retainInUse, type SyncDeps } from './sync-team.ts';

/** Why LiteLLM refused a request that the gateway allowed: it does not have the team or its key as they are, or their budget is spent. */
type RefusedAs = 'unknown' | 'over_budget';

/**
 * Resolves with the key of the team when the upstream has team and key as they should be; else with undefined. `requestedAt`: when the
 * refused request was begun, by `performance.now()`.
 */
export type RestoreTeam = (teamId: string, refusedAs: RefusedAs, requestedAt: number) => Promise<string | undefined>;

interface Restoration {
  key: Promise<string | undefined>;
  /** Requests that were begun before had the team as it was. */
  endedAt: number;
}

/** How long the result of a restoration is kept; one that failed is not tried again in this time. */
const keptMs = 10_000;

/**
 * Sets right what LiteLLM has of a team (`spec 8.10`, decision 96): after a simulated upstream, another LiteLLM, a database that was reset, a team or
 * key that was deleted there, a budget that ends before the credits do. However many calls of a team are refused at once, each process
 * does it once, and two processes do not disturb each other.
 */
export function createTeamRestoration(deps: SyncDeps & { log: Log }): RestoreTeam {
  const restorations = new Map<string, Restoration>();
  return (teamId, refusedAs, requestedAt) => {
    const id = `${refusedAs} ${teamId}`;
    const known = restorations.get(id);
    if (known && requestedAt < known.endedAt) return known.key;
    const restoration: Restoration = { key: restore(deps, teamId, refusedAs), endedAt: Number.POSITIVE_INFINITY };
    restorations.set(id, restoration);
    const forget = () => {
      if (restorations.get(id) === restoration) restorations.delete(id);
    };
    void restoration.key.then((key) => {
      if (key !== undefined) restoration.endedAt = performance.now();
      setTimeout(forget, keptMs).unref();
    });
    return restoration.key;
  };
}

/** Never rejects. */
async function restore(
  deps: SyncDeps & { log: Log },
  teamId: string,
  refusedAs: RefusedAs,
): Promise<string | undefined> {
  const { database, secrets, registration, log } = deps;
  try {
    const row = await findUpstreamTeam(database, teamId);
    // Its calls end with the refusal: nothing is made for a team that may not call. A budget that was chosen is not raised.
    if (!row || row.suspended || (refusedAs === 'over_budget' && row.max_budget !== null)) return undefined;
    const { team } = retainInUse(toUpstreamTeam(row, secrets), row);
    if (!(await registration.restore(team, refusedAs === 'over_budget'))) return undefined;
    // The team may have changed meanwhile: maintenance sends it once more, as it is then.
    await recordTeamChange(database, teamId);
    log.warn({ team_id: teamId, refused_as: refusedAs }, 'litellm: team restored');
    return team.virtual_key;
  } catch (error) {
    // A failure of the upstream has been logged.
    if (!(error instanceof Refusal)) log.warn({ err: error, team_id: teamId }, 'litellm: team not restored');
    return undefined;
  }
}
