import { z } from 'zod';
import { ModelGroupResponse } from '../../../contracts/model-groups.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { listModelGroups as list } from '../../../services/models/read-models.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeModelGroup } from './serialize-model.ts';

export const listModelGroups = route(
  {
    operationId: 'listModelGroups',
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
  async (context) => {
    const { groups, ...page } = await list(context, context.query);
    setPageHeaders(context, page);
    return groups.map(serializeModelGroup);
  },
);
