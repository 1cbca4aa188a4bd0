import { View, ViewParams, ViewText } from '../../../contracts/views.ts';
import { updateView as update } from '../../../services/views/update-view.ts';
import { route } from '../../route.ts';
import { serializeView } from './serialize-view.ts';

export const updateView = route(
  {
    operationId: 'updateView',
    method: 'put',
    path: '/api/views/{view_id}',
    summary: 'Change a view of the console',
    tag: 'Session',
    access: { audience: ['admin'] },
    params: ViewParams,
    body: { schema: ViewText },
    response: View,
    errors: ['view_not_found', 'view_exists'],
  },
  async (context) => serializeView(await update(context, context.params.view_id, context.body)),
);
