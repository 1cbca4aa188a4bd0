import { type CallableModel, listCallableModels as list } from '../../db/models/list-callable-models.ts';
import { refuse } from '../../errors.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** The models that the caller's team can call. */
export const listCallableModels = ({ deps, caller }: ServiceContext): Promise<CallableModel[]> =>
  list(deps.database, requireTeamCaller(caller).teamId);

/** One of them, by its name. */
export async function getCallableModel({ deps, caller }: ServiceContext, name: string): Promise<CallableModel> {
  const [model] = await list(deps.database, requireTeamCaller(caller).teamId, name);
  if (!model) throw refuse('model_not_found', name);
  return model;
}
