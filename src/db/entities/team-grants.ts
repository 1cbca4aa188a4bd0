import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from './columns.ts';

/** The model groups of a team, in the order in which they were assigned. */
export const TeamModelGroup = defineEntity({
  name: 'TeamModelGroup',
  tableName: 'team_model_groups',
  properties: {
    team_id: p.text().primary(),
    model_group_id: p.uuid().primary(),
    position: p.integer(),
    assigned_at: createdAt(),
  },
});

/** The access groups through which a team reaches aliases. `spec 7.5` */
export const TeamAccessGroup = defineEntity({
  name: 'TeamAccessGroup',
  tableName: 'team_access_groups',
  properties: { team_id: p.text().primary(), model_access_group_id: p.uuid().primary() },
});
