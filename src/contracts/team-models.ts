import { z } from 'zod';
import { namedEnum, text } from './fields.ts';
import { shownSent } from './models.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 7.16` */
export const ModelsOfTeam = z
  .object({
    team_id: responseFields.team_id,
    models: z
      .array(
        z
          .object({
            name: text('The `model` or `model_group` of a call', 'chat-large'),
            kind: namedEnum('ModelKind', ['alias', 'group']).describe('`alias`, or model `group`'),
            display_name: z.string().nullable().describe('Name for people; null without one'),
            description: z.string().nullable().describe('What it is meant for; null if nobody has said'),
            max_output_tokens: shownSent.max_output_tokens,
            extra_fields: shownSent.extra_fields,
            blocked_fields: shownSent.blocked_fields,
          })
          .meta({ id: 'ModelOfTeam' }),
      )
      .describe('The names that the team can call now, sorted by name. Never the concrete models behind them'),
  })
  .meta({ id: 'ModelsOfTeam' });
