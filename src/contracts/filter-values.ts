import { z } from 'zod';
import { namedEnum } from './fields.ts';

/** What a filter may be set to: `spec 19.78`. */

export const filterFields = ['team_id', 'organization_id', 'job_type', 'model_group', 'model'] as const;
export type FilterField = (typeof filterFields)[number];

const field = namedEnum('FilterField', filterFields);

export const FilterValuesQuery = z.object({
  field: field.describe('The filter of lists. Only an admin sees `model`, a concrete model'),
  q: z.string().min(1).max(255).optional().describe('Only values with this text in them or in their name, in any case'),
});

export const FilterValues = z
  .object({
    field: field.describe('The filter of the request'),
    values: z
      .array(
        z
          .object({
            value: z.string().describe('What the filter is set to'),
            label: z.string().describe('Name to show: the alias of a team, the name of an organization, or the value'),
          })
          .meta({ id: 'FilterValue' }),
      )
      .describe('By their names, at most 50'),
    complete: z.boolean().describe('Whether these are all'),
  })
  .meta({ id: 'FilterValues' });
