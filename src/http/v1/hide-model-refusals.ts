import { Refusal, refuse } from '../../errors.ts';

const ofModels: ReadonlySet<string> = new Set(['model_group_denied', 'model_group_unusable', 'model_group_empty']);

/** One refusal for every model that the team cannot call: an error does not show which models exist. `spec 17.23` */
export async function hideModelRefusals<T>(model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal && ofModels.has(error.code) ? refuse('model_not_found', model) : error;
  }
}
