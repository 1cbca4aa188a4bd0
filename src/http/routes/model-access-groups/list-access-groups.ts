import { z } from 'zod';
import { ModelAccessGroupAnswer } from '../../../contracts/model-access-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { route } from '../../route.ts';
import { serializeAccessGroups } from './support/serialize-access-group.ts';

export const listAccessGroups = route(
  {
    method: 'get',
    path: '/api/model-access-groups',
    summary: 'List the model access groups, newest first',
    tag: 'Models',
    auth: ['admin'],
    quota: 'lists',
    query: ModelListQuery,
    response: z.array(ModelAccessGroupAnswer),
  },
  ({ deps, query: { status, limit, offset } }) =>
    deps.database.reports.snapshot(async (entities) => {
      const groups = await entities.find(ModelAccessGroup, status ? { status } : {}, {
        populate: ['aliases'],
        strategy: 'select-in',
        orderBy: { created_at: 'desc', group_name: 'asc' },
        limit,
        offset,
      });
      return serializeAccessGroups(entities, groups);
    }),
);
