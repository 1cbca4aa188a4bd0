import { z } from 'zod';
import { CallerId, optional } from './fields.ts';
import { described, ModelStatus, prices, shown, shownPrices } from './models.ts';

export const ModelGroupParams = z.object({ group_name: CallerId });

const highestPriority = 2_147_483_647;

const NewMember = z
  .object({
    /** Must be a name that the upstream knows. */
    model_name: CallerId,
    priority: optional(z.int().min(0).max(highestPriority)),
    is_active: optional(z.boolean()),
    ...prices,
  })
  .meta({ id: 'NewModelGroupMember' });
export type NewMember = z.output<typeof NewMember>;

/** A model is a member once: of entries with the same `model_name` the first one stays. */
const NewMembers = z
  .array(NewMember)
  .max(1_000)
  .transform((members) => members.filter((member, place) => place === members.findIndex(sameModelAs(member))));

const sameModelAs = (member: { model_name: string }) => (other: { model_name: string }) =>
  other.model_name === member.model_name;

export const CreateModelGroup = z
  .object({ group_name: CallerId, ...described, models: optional(NewMembers) })
  .meta({ id: 'CreateModelGroup' });

export const UpdateModelGroup = z
  .object({ ...described, status: optional(ModelStatus), models: optional(NewMembers) })
  .meta({ id: 'UpdateModelGroup' });

const Member = z
  .object({ model_name: z.string(), priority: z.int(), is_active: z.boolean(), ...shownPrices })
  .meta({ id: 'ModelGroupMember' });

export const ModelGroupAnswer = z
  .object({ model_group_id: z.guid(), group_name: z.string(), ...shown, models: z.array(Member) })
  .meta({ id: 'ModelGroup' });
export type ModelGroupAnswer = z.output<typeof ModelGroupAnswer>;
