import { z } from 'zod';
import { noControlCharacters, text, timestamp, Uuid } from './fields.ts';

/** Views of the console that its admins share: `spec 19.77`. */

const Name = z.string().trim().min(1).max(100).regex(noControlCharacters, 'must not contain control characters');
const Path = z
  .string()
  .max(200)
  .regex(/^\/(?!\/)[\w/-]*$/, 'Input should be the path of a page, such as /jobs');
const Query = z
  .string()
  .max(2_000)
  .regex(/^(\?[^\s#]*)?$/, 'Input should be empty or begin with a question mark');

const view = {
  name: Name.meta({ description: 'What it is called, different from every other view', example: 'Failed this week' }),
  path: Path.meta({ description: 'Path of the page in the console', example: '/jobs' }),
  query: Query.meta({
    description: 'The filters of the page, as in its URL; may be empty',
    example: '?status=failed&range=7d',
  }),
};

export const ViewText = z.object(view).meta({ id: 'ViewText' });

export const ViewParams = z.object({ view_id: Uuid.describe('Id of the view') });

export const View = z
  .object({
    view_id: text('Id of the view', '6a0c9f52-3d1b-4f0e-9a61-5b7c8d2e1f40'),
    ...view,
    created_by: text('Who saved it first: the e-mail of an admin user, or `platform`', 'ada@example.com'),
    created_at: timestamp('When it was saved first'),
    updated_at: timestamp('When it was last changed'),
  })
  .meta({ id: 'View' });

export const Views = z
  .object({ views: z.array(View).describe('All of them, by their names; at most 200') })
  .meta({ id: 'Views' });
