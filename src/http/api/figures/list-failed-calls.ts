import { FailedCall, FailedCalls, FailedCallsQuery } from '../../../contracts/call-errors.ts';
import { encodeCursor } from '../../../contracts/cursor.ts';
import { listFailedCalls as list } from '../../../services/figures/get-errors.ts';
import { route } from '../../route.ts';
import { serializeFailedCall } from './serialize-errors.ts';

export const listFailedCalls = route(
  {
    operationId: 'listFailedCalls',
    method: 'get',
    path: '/api/usage/errors/calls',
    summary: 'List the calls with an error, newest first',
    description:
      'Of the jobs that were created in the range. With the filters of a group of errors, `total` is its `calls`.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    query: FailedCallsQuery,
    limits: { rate: 'management', place: 'lists' },
    response: FailedCalls.meta({ example: { total: 1, jobs: 1, next_cursor: null } }),
    csv: { name: 'failed-calls', row: FailedCall, rows: ({ calls }) => calls },
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  async (context) => {
    const { counted, rows, next, isForAdmin } = await list(context, context.query);
    return {
      total: counted?.total ?? null,
      jobs: counted?.jobs ?? null,
      calls: rows.map((row) => serializeFailedCall(row, isForAdmin)),
      next_cursor: next && encodeCursor(next),
    };
  },
);
