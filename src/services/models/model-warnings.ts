import { warningsOfModels } from '../../domain/missing-models.ts';
import type { ServiceContext } from '../context.ts';

/** What the upstream's list says against the names of models: nothing without names, or where the list does not come soon. `spec 7.12` */
export const warnAboutModels = async (
  { deps }: ServiceContext,
  names: readonly (string | null | undefined)[],
): Promise<string[]> => {
  const given = names.filter((name) => typeof name === 'string');
  return given.length === 0 ? [] : warningsOfModels(given, await deps.upstreamWatch.models());
};
