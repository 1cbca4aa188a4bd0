import { Message } from '../../../contracts/fields.ts';
import { ViewParams } from '../../../contracts/views.ts';
import { deleteView as remove } from '../../../services/views/delete-view.ts';
import { route } from '../../route.ts';

export const deleteView = route(
  {
    operationId: 'deleteView',
    method: 'delete',
    path: '/api/views/{view_id}',
    summary: 'Delete a view of the console for all admins',
    tag: 'Session',
    access: { audience: ['admin'] },
    params: ViewParams,
    response: Message.meta({ example: { message: "View 'Failed today' deleted successfully" } }),
    errors: ['view_not_found'],
  },
  async (context) => ({ message: `View '${await remove(context, context.params.view_id)}' deleted successfully` }),
);
