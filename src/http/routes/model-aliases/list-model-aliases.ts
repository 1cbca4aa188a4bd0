import { z } from 'zod';
import { ModelAliasAnswer } from '../../../contracts/model-aliases.ts';
import { ModelListQuery } from '../../../contracts/models.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './support/serialize-model-alias.ts';

export const listModelAliases = route(
  {
    method: 'get',
    path: '/api/model-aliases',
    summary: 'List the model aliases, newest first',
    tag: 'Models',
    auth: ['admin'],
    quota: 'lists',
    query: ModelListQuery,
    response: z.array(ModelAliasAnswer),
  },
  async ({ deps, query: { status, limit, offset } }) => {
    const aliases = await deps.database.reports.snapshot((entities) =>
      entities.find(ModelAlias, status ? { status } : {}, {
        populate: ['access_groups'],
        strategy: 'select-in',
        orderBy: { created_at: 'desc', alias_name: 'asc' },
        limit,
        offset,
      }),
    );
    return aliases.map(serializeModelAlias);
  },
);
