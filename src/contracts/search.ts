import { z } from 'zod';
import { namedEnum, noControlCharacters, text } from './fields.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 19.30` */

export const hitTypes = [
  'job',
  'call',
  'delivery',
  'transaction',
  'webhook',
  'team',
  'organization',
  'model_group',
  'model_alias',
  'admin_user',
] as const;

export const SearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(1_000)
    .regex(noControlCharacters, 'must not contain control characters')
    .meta({
      description:
        'The beginning of an id (four characters at least), of an external task id, or of the id, name, alias or e-mail of what is looked for, ' +
        'as it was copied: quoted, without dashes, with the prefix of a completion or a workflow, in an address or in a line of a log',
      example: '3f2b8c1e',
    }),
});

export const SearchHit = z
  .object({
    type: namedEnum('SearchHitType', hitTypes).describe('Kind of what was found'),
    id: text('Its id or name', '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35'),
    label: text('Its name for people, or what it is', 'summarize_report'),
    detail: text('What distinguishes it from others: its status, for example', 'completed'),
    job_id: responseFields.job_id.optional().meta({
      description: 'The job that it belongs to; absent where there is none',
      example: '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35',
    }),
    team_id: responseFields.team_id
      .optional()
      .meta({ description: 'The team that it belongs to; absent where there is none', example: 'acme-research' }),
  })
  .meta({ id: 'SearchHit' });

export const SearchResults = z
  .object({ results: z.array(SearchHit).describe('At most 20, those that are exactly the text first') })
  .meta({ id: 'SearchResults' });
