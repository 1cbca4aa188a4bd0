import { readCallResult } from '../../../src/db/calls/read-call-result.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn } from '../../support/given.ts';
import { messagesWith } from './messages.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test.each<[string, string, unknown]>([
  ['prompt and limit', 'sim-overflow-code', 'prompt is too long: 9041 tokens > 8192 maximum'],
  ['both in fields', 'sim-overflow-llamacpp', 'prompt is too long: 9041 tokens > 8192 maximum'],
  ['both, with 413', 'sim-overflow-words-413', 'prompt is too long: 210042 tokens > 200000 maximum'],
  [
    'an answer that is too long for the rest',
    'sim-overflow-answer',
    'input length and `max_tokens` exceed context limit: 4200 + 4096 > 8192, decrease input length or `max_tokens` and try again',
  ],
  ['nothing', 'sim-overflow-litellm', expect.stringMatching(/^prompt is too long: \d+ tokens > \d+ maximum$/)],
])(
  'where an upstream names %s, too long a prompt is a 400 with these figures, whole and streamed (spec 28.12)',
  async (_, model, message) => {
    const team = await given.team({ models: [model] });

    for (const stream of [false, true]) {
      const answer = await messagesWith(gateway, team)({ stream });
      expect([answer.status, answer.body.error]).toEqual([
        400,
        {
          type: 'invalid_request_error',
          message,
          details: { error_code: 'context_length_exceeded' },
        },
      ]);
    }
  },
);

test('the record of a call has the figures of too long a prompt, and nothing else of the refusal (spec 28.12)', async () => {
  const team = await given.team({ models: ['sim-overflow-answer'] });
  const answer = await messagesWith(gateway, team)();

  const recorded = await readCallResult(gateway.current.deps.database, answer.headers.get('x-call-id')!);

  expect(recorded).toMatchObject({
    failure: 'context_length',
    error: "the prompt is longer than the model's context",
    contextFigures: { prompt: 4_200, answer: 4_096, limit: 8_192 },
  });
});
