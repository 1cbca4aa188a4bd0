import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../log.ts';
import { type SyncDeps, syncTeam } from './sync-team.ts';

/** Teams that are synchronized at the same time. */
const concurrency = 5;
/** This is less than the 3 s in which a request is answered, however many teams there are and however slow the upstream is. */
const timeoutMs = 2_000;

/**
 * Sends the upstream the recorded changes of these teams. What takes longer than two seconds continues after the answer; what
 * fails stays recorded, and maintenance sends it. Never rejects.
 */
export async function syncTeams(deps: SyncDeps & { log: Log }, teamIds: readonly string[]): Promise<void> {
  const waiting = [...teamIds];
  const syncWaiting = async (): Promise<void> => {
    for (let teamId = waiting.shift(); teamId !== undefined; teamId = waiting.shift()) {
      await syncTeam(deps, teamId).catch((error: unknown) => {
        deps.log.warn({ err: error, team_id: teamId }, 'litellm: team synchronization postponed');
      });
    }
  };
  const all = Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, syncWaiting));
  await withTimeout(all, timeoutMs).catch(() => undefined);
}
