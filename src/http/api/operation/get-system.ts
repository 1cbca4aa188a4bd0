import { System } from '../../../contracts/system.ts';
import { getSystem as get } from '../../../services/operation/get-system.ts';
import { route } from '../../route.ts';
import { systemExample } from './operation-examples.ts';
import { serializeSystem } from './serialize-system.ts';

export const getSystem = route(
  {
    operationId: 'getSystem',
    method: 'get',
    path: '/api/system',
    summary: 'Read the state of the installation',
    description: 'Dependencies, workers with their versions, maintenance, retention, and what waits.',
    tag: 'Operation',
    access: { audience: ['admin'] },
    response: System.meta({ example: systemExample }),
    limits: { rate: 'management', place: 'lists' },
  },
  async (context) => serializeSystem(await get(context), context.deps.config),
);
