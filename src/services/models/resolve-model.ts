import { refusalOfModel } from '../../calls/refuse-admission.ts';
import { dryRunResolution } from '../../db/models/dry-run-resolution.ts';
import type { Candidate } from '../../domain/call-state.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** What a call of a team would do with a name. */
export interface ModelResolution {
  /** Why the call would be refused; null when it would be made. */
  reason: string | null;
  /** What the name stands for; null when the call would be refused. */
  via: 'alias' | 'group' | null;
  /** The access groups through which the team reaches the alias. */
  accessGroups: string[];
  /** The models in the order in which a call would try them. */
  candidates: Candidate[];
}

/** A dry run of what a call does with the name of a model group or an alias. `spec 19.68` */
export async function resolveModel(
  context: ServiceContext,
  { team_id, name }: { team_id: string; name: string },
): Promise<ModelResolution> {
  await requireOwnTeam(context, team_id);
  const found = await dryRunResolution(context.deps.database, team_id, name);
  if (found.refusal !== null) {
    const reason = refusalOfModel(found.refusal, team_id, name).message;
    return { reason, via: null, accessGroups: [], candidates: [] };
  }
  const candidates = found.candidates ?? [];
  return found.model_group_used === null
    ? { reason: null, via: 'alias', accessGroups: found.access_groups, candidates }
    : { reason: null, via: 'group', accessGroups: [], candidates };
}
