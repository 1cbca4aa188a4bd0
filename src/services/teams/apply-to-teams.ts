import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceDeps } from '../ports.ts';

/** A change of something else that teams have, such as a model or their organization: open consoles and the upstream receive it. */
export async function applyToTeams(deps: ServiceDeps, teamIds: readonly string[]): Promise<void> {
  for (const team_id of teamIds) deps.changes.publish('teams', { team_id });
  await syncTeams(deps, teamIds);
}
