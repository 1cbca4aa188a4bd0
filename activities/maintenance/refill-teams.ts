import { heartbeat } from '@temporalio/activity';
import { listDueRefills } from '../../src/db/credits/refills.ts';
import { databaseTime } from '../../src/db/sql/database-clock.ts';
import { refillTeam } from '../../src/services/credits/refill-team.ts';
import type { ActivityDeps } from '../ports.ts';

const pageSize = 100;

export const createRefillSteps = (deps: ActivityDeps) => ({
  /**
   * Makes every refill that is due and returns how many it made. Exactly once for each team and period by the guard on `next_refill_at`
   * and the unique index `one_refill_a_period`. A team that cannot be refilled does not hold up the others.
   */
  async refillTeams(): Promise<number> {
    const { database, log, changes } = deps;
    const now = await databaseTime(database);
    let refills = 0;
    let teams: string[] = [];
    do {
      teams = await listDueRefills(database, now, teams.at(-1) ?? '', pageSize);
      for (const teamId of teams) {
        const made = await refillTeam(database, teamId, now).catch((error: unknown) => {
          log.error({ err: error, team_id: teamId }, 'maintenance: refill failed');
          return 0;
        });
        if (made > 0) changes.publish('teams', { team_id: teamId });
        refills += made;
        heartbeat();
      }
    } while (teams.length === pageSize);
    return refills;
  },
});
