import { z } from 'zod';
import { CallerId, optional } from './fields.ts';
import { described, ModelStatus, Names, prices, shown, shownPrices } from './models.ts';

export const ModelAliasParams = z.object({ alias_name: CallerId });

const access_groups = optional(Names).meta({ description: 'Through these, teams reach the alias' });
const fallbacks = optional(Names).meta({ description: 'Tried after `model_name`, in this order' });

export const CreateModelAlias = z
  .object({ alias_name: CallerId, model_name: CallerId, ...described, fallbacks, ...prices, access_groups })
  .meta({ id: 'CreateModelAlias' });

export const UpdateModelAlias = z
  .object({
    model_name: optional(CallerId),
    ...described,
    status: optional(ModelStatus),
    fallbacks,
    ...prices,
    access_groups,
  })
  .meta({ id: 'UpdateModelAlias' });

export const ModelAliasAnswer = z
  .object({
    model_alias_id: z.guid(),
    alias_name: z.string(),
    model_name: z.string(),
    ...shown,
    fallbacks: z.array(z.string()),
    ...shownPrices,
    access_groups: z.array(z.string()),
  })
  .meta({ id: 'ModelAlias' });
export type ModelAliasAnswer = z.output<typeof ModelAliasAnswer>;
