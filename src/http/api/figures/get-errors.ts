import { ErrorGroup, Errors, ErrorsQuery } from '../../../contracts/call-errors.ts';
import { getErrors as get } from '../../../services/figures/get-errors.ts';
import { route } from '../../route.ts';
import { errorsExample } from './figure-examples.ts';
import { serializeErrors } from './serialize-errors.ts';

export const getErrors = route(
  {
    operationId: 'getErrors',
    method: 'get',
    path: '/api/usage/errors',
    summary: 'Read what failed, in groups, with the calls and jobs that it hit',
    description:
      'Of the jobs that were created in the range. For an admin each request to a model that failed is an error, although another model may ' +
      'have answered the call; a team sees its calls that failed. The same `error_*` filters give the calls and the jobs of a group.',
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    query: ErrorsQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Errors.meta({ example: errorsExample }),
    csv: { name: 'errors', row: ErrorGroup, rows: ({ groups }) => groups },
    errors: ['key_of_another_team', 'key_of_another_organization', 'concrete_models_hidden'],
  },
  async (context) => serializeErrors(await get(context, context.query)),
);
