import { z } from 'zod';
import { CallerId, optional } from './fields.ts';
import { described, ModelStatus, Names, shown } from './models.ts';

export const ModelAccessGroupParams = z.object({ group_name: CallerId });

const model_aliases = optional(Names).meta({ description: 'What the teams of the group may ask for' });

export const CreateModelAccessGroup = z
  .object({ group_name: CallerId, ...described, model_aliases })
  .meta({ id: 'CreateModelAccessGroup' });

export const UpdateModelAccessGroup = z
  .object({ ...described, status: optional(ModelStatus), model_aliases })
  .meta({ id: 'UpdateModelAccessGroup' });

export const ModelAccessGroupAnswer = z
  .object({
    model_access_group_id: z.guid(),
    group_name: z.string(),
    ...shown,
    model_aliases: z.array(z.string()),
    teams: z.array(z.string()),
  })
  .meta({ id: 'ModelAccessGroup' });
export type ModelAccessGroupAnswer = z.output<typeof ModelAccessGroupAnswer>;
