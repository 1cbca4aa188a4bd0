import { z } from 'zod';
import { ModelGroupAnswer } from '../../../contracts/model-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelGroup } from '../../../db/entities/model-group.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './support/serialize-model-group.ts';

export const listModelGroups = route(
  {
    method: 'get',
    path: '/api/model-groups',
    summary: 'List the model groups, newest first',
    tag: 'Models',
    auth: ['admin'],
    quota: 'lists',
    query: ModelListQuery,
    response: z.array(ModelGroupAnswer),
  },
  async ({ deps, query: { status, limit, offset } }) => {
    const groups = await deps.database.reports.snapshot((entities) =>
      entities.find(ModelGroup, status ? { status } : {}, {
        populate: ['members'],
        strategy: 'select-in',
        orderBy: { created_at: 'desc', group_name: 'asc' },
        limit,
        offset,
      }),
    );
    return groups.map(serializeModelGroup);
  },
);
