import { z } from 'zod';
import type { Surface } from './surface.ts';

const ValidationError = z
  .object({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe(
        'Where the problem is: `body`, `path`, `query` or `header`, then the names of fields and indexes in arrays',
      ),
    msg: z.string().describe('What the problem is, for people. Its wording may change'),
    type: z.string().describe('Kind of the problem, for programs: `missing`, `string_type`, `uuid_parsing` and others'),
  })
  .meta({ id: 'ValidationError' });

const errorSchemas = z.object({
  error: z
    .object({ detail: z.string().describe('Why the request was refused or failed, for people') })
    .meta({ id: 'Error' }),
  invalid: z
    .object({ detail: z.array(ValidationError).describe('Every problem that was found in the request') })
    .meta({ id: 'HTTPValidationError' }),
});

/** The routes under `/api` and the probes. Errors have the form of FastAPI: `spec 1.3`. */
export const apiSurface: Surface = {
  prefix: '/api/',
  errorBody: ({ detail }) => ({ detail }),
  errorSchemas,
  schemaNames: { error: 'Error', invalid: 'HTTPValidationError' },
};
