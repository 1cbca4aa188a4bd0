import { z } from 'zod';
import { namedEnum } from './fields.ts';

/** `spec 19.49` */

const attentionKinds = [
  'dependency_down',
  'team_empty',
  'team_low',
  'upstream_over_budget',
  'webhook_failing',
  'model_errors',
  'job_idle',
  'figures_late',
] as const;

export const Attention = z
  .object({
    items: z
      .array(
        z
          .object({
            kind: namedEnum('AttentionKind', attentionKinds).describe(
              '`dependency_down`: what the service needs does not respond. `team_empty`, `team_low`: a fixed budget without credits, or with ' +
                'less than 10 % of its last allocation. `upstream_over_budget`: calls of a team failed in the last hour because a budget at the upstream is spent. `webhook_failing`: its deliveries fail. `model_errors`: more than 5 % of the requests to a model fail. ' +
                '`job_idle`: an open job is about to be ended because nothing happens in it. `figures_late`: the figures of calls are not up to date',
            ),
            severity: namedEnum('AttentionSeverity', ['warning', 'critical']).describe(
              '`critical`: clients are affected now',
            ),
            title: z.string().describe('What is the matter, for people. Its wording may change'),
            detail: z.string().describe('The figures behind it, for people. Its wording may change'),
            link: z
              .object({
                type: namedEnum('AttentionSubject', ['system', 'team', 'webhook', 'model', 'job']).describe(
                  'Kind of what it is about',
                ),
                id: z.string().describe('Its id: of the dependency, team, webhook, model or job'),
              })
              .describe('What it is about'),
            since: z.iso.datetime().nullable().describe('Since when, ISO 8601, UTC; null if that is not recorded'),
          })
          .meta({ id: 'AttentionItem' }),
      )
      .describe('Critical ones first, at most 20 of a kind'),
    total: z.int().describe('How many there are in all, those that are not listed too'),
  })
  .meta({ id: 'Attention' });
