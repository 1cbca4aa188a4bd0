import { Live } from '../../../contracts/system.ts';
import { getLive as get } from '../../../services/operation/get-live.ts';
import { route } from '../../route.ts';
import { liveExample } from './operation-examples.ts';

export const getLive = route(
  {
    operationId: 'getLiveFigures',
    method: 'get',
    path: '/api/live',
    summary: 'Read what runs now',
    description:
      'Open jobs, running and waiting calls by team, with the limits of the current minute, and the workers.',
    tag: 'Operation',
    access: { audience: ['admin'] },
    response: Live.meta({ example: liveExample }),
    limits: { rate: 'management', place: 'lists' },
  },
  async (context) => {
    const { now, ...live } = await get(context);
    return { ...live, at: now.toISOString() };
  },
);
