import { z } from 'zod';
import type { ReportedError, Surface } from '../../../src/http/surface.ts';

const Failure = z.object({ failure: z.string().describe('What is wrong') }).meta({ id: 'Failure' });

export const failureOf = ({ code, detail }: Pick<ReportedError, 'code' | 'detail'>): string =>
  typeof detail === 'string' ? code : detail.map(({ loc }) => loc.join('.')).join(', ');

/** A surface that no product has, with errors of its own. */
export const furtherSurface: Surface = {
  prefix: '/further/',
  errorStatus: ({ status }) => (status === 422 ? 400 : status),
  errorBody: (error) => ({ failure: failureOf(error) }),
  errorHeaders: () => ({ 'X-Failure': 'yes' }),
  isStored: ({ status }) => status === 200,
  storedErrorHeaders: {},
  docs: {
    description: 'Prompts and texts.',
    tags: { Prompts: 'One prompt, one text.' },
    errorSchemas: { refused: Failure, invalid: Failure },
    invalidExample: [{ loc: ['body', 'prompt'], msg: 'Field required', type: 'missing' }],
  },
};
