import { z } from 'zod';
import { ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { listModelIds, newestFirst } from '../../../db/models/list-model-ids.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeAccessGroups } from './support/serialize-access-group.ts';

export const listAccessGroups = route(
  {
    method: 'get',
    path: '/api/model-access-groups',
    summary: 'List the model access groups, newest first',
    tag: 'Models',
    access: { audience: ['admin'] },
    limits: { place: 'lists' },
    query: ModelListQuery,
    response: z.array(ModelAccessGroupResponse),
    responseHeaders: Object.values(pageHeaders),
    csv: { name: 'model-access-groups', row: ModelAccessGroupResponse, rows: (groups) => groups },
  },
  (context) =>
    context.deps.database.reports.snapshot(async (entities) => {
      const page = await listModelIds(entities, 'access_group', context.query);
      setPageHeaders(context, page);
      const groups = await entities.find(
        ModelAccessGroup,
        { model_access_group_id: { $in: page.ids } },
        { populate: ['aliases'], strategy: 'select-in', orderBy: newestFirst('group_name') },
      );
      return serializeAccessGroups(entities, groups);
    }),
);
