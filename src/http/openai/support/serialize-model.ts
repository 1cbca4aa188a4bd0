import type { z } from 'zod';
import type { Model } from '../../../contracts/openai/models.ts';
import type { CallableModel } from '../../../db/models/list-callable-models.ts';
import type { TeamCaller } from '../../../services/caller.ts';

export const serializeModel = (
  { name, created_at }: CallableModel,
  { organizationId }: TeamCaller,
): z.output<typeof Model> => ({
  id: name,
  object: 'model',
  created: Math.floor(created_at.getTime() / 1_000),
  owned_by: organizationId,
});

export const exampleModel = {
  id: 'chat-large',
  object: 'model' as const,
  created: 1_769_851_800,
  owned_by: 'acme',
};
