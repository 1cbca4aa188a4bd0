import { SaveView, View } from '../../../contracts/views.ts';
import { saveView as save } from '../../../services/views/save-view.ts';
import { route } from '../../route.ts';
import { serializeView } from './serialize-view.ts';

export const saveView = route(
  {
    operationId: 'saveView',
    method: 'post',
    path: '/api/views',
    summary: 'Save a view of the console for all admins',
    description: 'A page with its filters under a name. An installation has at most 200.',
    tag: 'Session',
    access: { audience: ['admin'] },
    body: { schema: SaveView },
    response: View,
    errors: ['view_exists'],
  },
  async (context) => serializeView(await save(context, context.body)),
);
