import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../log.ts';
import { type SyncDeps, syncTeam } from './sync-team.ts';

/** Teams carried over at the same time. */
const atOnce = 5;
/** Under the 3 s in which a request is answered, however many teams there are and however slow the upstream. */
const patienceMs = 2_000;

/**
 * Brings changes to the upstream, for all teams that they concern. What is not done in two seconds goes on behind the answer;
 * what is never done stays noted, and maintenance carries it over. Never rejects.
 */
export async function syncTeams(deps: SyncDeps & { log: Log }, teamIds: readonly string[]): Promise<void> {
  const waiting = [...teamIds];
  const carryNext = async (): Promise<void> => {
    for (let teamId = waiting.shift(); teamId !== undefined; teamId = waiting.shift()) {
      await syncTeam(deps, teamId).catch((error: unknown) => {
        deps.log.warn({ err: error, team_id: teamId }, 'a change of a team is left for later');
      });
    }
  };
  const all = Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, carryNext));
  await withTimeout(all, patienceMs).catch(() => undefined);
}
