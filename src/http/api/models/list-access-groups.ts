import { z } from 'zod';
import { ModelAccessGroupResponse } from '../../../contracts/model-access-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { listAccessGroups as list } from '../../../services/models/read-models.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './serialize-model.ts';

export const listAccessGroups = route(
  {
    operationId: 'listModelAccessGroups',
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
  async (context) => {
    const { groups, ...page } = await list(context, context.query);
    setPageHeaders(context, page);
    return groups.map(serializeAccessGroup);
  },
);
