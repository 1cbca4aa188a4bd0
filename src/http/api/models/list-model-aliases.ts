import { z } from 'zod';
import { ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { listModelAliases as list } from '../../../services/models/read-models.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './serialize-model.ts';

export const listModelAliases = route(
  {
    operationId: 'listModelAliases',
    method: 'get',
    path: '/api/model-aliases',
    summary: 'List the model aliases, newest first',
    tag: 'Models',
    access: { audience: ['admin'] },
    limits: { place: 'lists' },
    query: ModelListQuery,
    response: z.array(ModelAliasResponse),
    responseHeaders: Object.values(pageHeaders),
    csv: { name: 'model-aliases', row: ModelAliasResponse, rows: (aliases) => aliases },
  },
  async (context) => {
    const { aliases, ...page } = await list(context, context.query);
    setPageHeaders(context, page);
    return aliases.map(serializeModelAlias);
  },
);
