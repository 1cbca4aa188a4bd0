import { Views } from '../../../contracts/views.ts';
import { listViews as list } from '../../../services/views/read-views.ts';
import { route } from '../../route.ts';
import { serializeView } from './serialize-view.ts';

export const listViews = route(
  {
    operationId: 'listViews',
    method: 'get',
    path: '/api/views',
    summary: 'List the views of the console that its admins share',
    tag: 'Session',
    access: { audience: ['admin'] },
    limits: { place: 'lists' },
    response: Views,
  },
  async (context) => ({ views: (await list(context)).map(serializeView) }),
);
