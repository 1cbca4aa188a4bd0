import { z } from 'zod';
import { ModelGroupResponse } from '../../../contracts/model-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelGroup } from '../../../db/entities/model-group.ts';
import { listModelIds, newestFirst } from '../../../db/models/list-model-ids.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './support/serialize-model-group.ts';

export const listModelGroups = route(
  {
    method: 'get',
    path: '/api/model-groups',
    summary: 'List the model groups, newest first',
    tag: 'Models',
    access: { audience: ['admin'] },
    limits: { place: 'lists' },
    query: ModelListQuery,
    response: z.array(ModelGroupResponse),
    responseHeaders: Object.values(pageHeaders),
    csv: { name: 'model-groups', row: ModelGroupResponse, rows: (groups) => groups },
  },
  (context) =>
    context.deps.database.reports.snapshot(async (entities) => {
      const page = await listModelIds(entities, 'group', context.query);
      setPageHeaders(context, page);
      const groups = await entities.find(
        ModelGroup,
        { model_group_id: { $in: page.ids } },
        { populate: ['members'], strategy: 'select-in', orderBy: newestFirst('group_name') },
      );
      return groups.map(serializeModelGroup);
    }),
);
