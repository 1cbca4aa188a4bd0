import { z } from 'zod';
import { ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { listModelIds, newestFirst } from '../../../db/models/list-model-ids.ts';
import { pageHeaders, setPageHeaders } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './support/serialize-model-alias.ts';

export const listModelAliases = route(
  {
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
  (context) =>
    context.deps.database.reports.snapshot(async (entities) => {
      const page = await listModelIds(entities, 'alias', context.query);
      setPageHeaders(context, page);
      const aliases = await entities.find(
        ModelAlias,
        { model_alias_id: { $in: page.ids } },
        { populate: ['access_groups'], strategy: 'select-in', orderBy: newestFirst('alias_name') },
      );
      return aliases.map(serializeModelAlias);
    }),
);
