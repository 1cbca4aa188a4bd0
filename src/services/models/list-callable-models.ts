import { type CallableModel, listCallableModels as list } from '../../db/models/list-callable-models.ts';
import { refuse } from '../../errors.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** The models that the caller's team can call. */
export const listCallableModels = ({ deps, caller }: ServiceContext): Promise<CallableModel[]> =>
  list(deps.database, requireTeamCaller(caller).teamId);

/** The models that a team can call, for its key or an admin. `spec 7.16` */
export async function listModelsOfTeam(context: ServiceContext, teamId: string): Promise<CallableModel[]> {
  await requireOwnTeam(context, teamId);
  return list(context.deps.database, teamId);
}

/** One of them, by its name. A slash at the end of the path is a part of the name only where there is such a model. `spec 1.17` */
export async function getCallableModel({ deps, caller }: ServiceContext, name: string): Promise<CallableModel> {
  const { teamId } = requireTeamCaller(caller);
  for (const one of name.endsWith('/') ? [name, name.slice(0, -1)] : [name]) {
    const [model] = await list(deps.database, teamId, one);
    if (model) return model;
  }
  throw refuse('model_not_found', name);
}
