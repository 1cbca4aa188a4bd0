import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { countOpenJobs, eraseJobs } from '../../db/teams/erase-user.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from './read-teams.ts';

const jobsAtOnce = 200;

export interface ErasedUser {
  jobs: number;
  payloads: number;
  open_jobs: number;
}

/**
 * Removes what belongs to a user of a client from the ended jobs of a team, in batches: after a failure, a repetition goes on where this
 * one stopped. The entry of the audit log comes first, and has no id of the user. `spec 8.11`
 */
export async function eraseUser(context: ServiceContext, team_id: string, user_id: string): Promise<ErasedUser> {
  const { deps } = context;
  await requireOwnTeam(context, team_id);
  const change = { action: 'erased_user', resource_type: 'team', resource_id: team_id };
  await deps.database.transaction((entities) => writeRepeatableEntry(entities, context, change));
  const user = { team_id, user_id };
  const sum: ErasedUser = { jobs: 0, payloads: 0, open_jobs: 0 };
  for (let batch = jobsAtOnce; batch === jobsAtOnce; ) {
    const { jobs, payloads } = await eraseJobs(deps.database, user, jobsAtOnce);
    sum.jobs += jobs;
    sum.payloads += payloads;
    batch = jobs;
  }
  return { ...sum, open_jobs: await countOpenJobs(deps.database, user) };
}
