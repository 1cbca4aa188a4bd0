import { View, ViewText } from '../../../contracts/views.ts';
import { createView as create } from '../../../services/views/create-view.ts';
import { route } from '../../route.ts';
import { serializeView } from './serialize-view.ts';

export const createView = route(
  {
    operationId: 'createView',
    method: 'post',
    path: '/api/views',
    summary: 'Save a view of the console for all admins',
    description: 'A page with its filters under a name. An installation has at most 200.',
    tag: 'Session',
    access: { audience: ['admin'] },
    body: { schema: ViewText },
    response: View,
    errors: ['view_exists'],
  },
  async (context) => serializeView(await create(context, context.body)),
);
