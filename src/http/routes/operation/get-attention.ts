import { Attention } from '../../../contracts/attention.ts';
import { route } from '../../route.ts';
import { attentionOf } from './support/attention-items.ts';

export const getAttention = route(
  {
    method: 'get',
    path: '/api/attention',
    summary: 'List what needs attention',
    description:
      'Dependencies that are down, teams whose credits run out, webhooks and models that fail, and jobs that are about to be ended because ' +
      'nothing happens in them.',
    tag: 'Operation',
    auth: ['admin'],
    quota: 'lists',
    limit: 'management',
    response: Attention,
    example: {
      response: {
        items: [
          {
            kind: 'team_low',
            severity: 'warning',
            title: 'Credits of Research run out',
            detail: '4 of 50 credits are left',
            link: { type: 'team', id: 'acme-research' },
            since: '2026-01-31T09:30:01.250Z',
          },
        ],
        total: 1,
      },
    },
  },
  ({ deps }) => attentionOf(deps),
);
