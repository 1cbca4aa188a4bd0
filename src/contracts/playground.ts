import { z } from 'zod';
import { defaultMaxTokens } from '../domain/playground.ts';
import { SingleCallRequest } from './calls.ts';
import { optional } from './fields.ts';
import { Team } from './teams.ts';

/** `spec 32` */

export const PlaygroundRun = SingleCallRequest.pick({
  model: true,
  messages: true,
  temperature: true,
  top_p: true,
  frequency_penalty: true,
  presence_penalty: true,
  stop: true,
  response_format: true,
})
  .extend({
    model: SingleCallRequest.shape.model.describe(
      'Name of a model alias or of a model group. An alias is looked up first',
    ),
    max_tokens: optional(z.int().min(1).max(2_147_483_647)).describe(
      `Most tokens that the model may generate. Default ${defaultMaxTokens.toLocaleString('en')}`,
    ),
  })
  .meta({ id: 'PlaygroundRun' });

export const Playground = z
  .object({
    test_account: Team.nullable().describe(
      'The team whose calls the playground makes. Null: it is made with the first run',
    ),
  })
  .meta({ id: 'Playground' });
