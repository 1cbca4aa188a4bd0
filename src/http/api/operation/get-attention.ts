import { Attention } from '../../../contracts/attention.ts';
import { getAttention as get } from '../../../services/operation/get-attention.ts';
import { route } from '../../route.ts';
import { attentionExample } from './operation-examples.ts';

export const getAttention = route(
  {
    operationId: 'getAttention',
    method: 'get',
    path: '/api/attention',
    summary: 'List what needs attention',
    description:
      'Dependencies that are down, teams whose credits run out, webhooks and models that fail, and jobs that are about to be ended because ' +
      'nothing happens in them.',
    tag: 'Operation',
    access: { audience: ['admin'] },
    response: Attention.meta({ example: attentionExample }),
    limits: { rate: 'management', place: 'lists' },
  },
  (context) => get(context),
);
