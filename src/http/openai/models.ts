import { z } from 'zod';
import type { CallableModel } from '../../db/models/list-callable-models.ts';
import type { TeamCaller } from '../../services/caller.ts';

/** `spec 17.1` */

export const Model = z
  .object({
    id: z.string().describe('Name of the model alias or model group: the `model` of a chat completion'),
    object: z.literal('model').describe('Always `model`'),
    created: z.int().describe('When it was created, in Unix seconds'),
    owned_by: z.string().describe("The id of the team's organization"),
  })
  .meta({ id: 'Model' });

export const ModelList = z
  .object({
    object: z.literal('list').describe('Always `list`'),
    data: z.array(Model).describe('The models that the team can call now, sorted by id'),
  })
  .meta({ id: 'ModelList' });

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
