import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { expectWellFormed } from './answers.ts';
import { readResponseEvents, respondWith } from './respond.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a response has the answer of the model, and its call a completed job of type responses (spec 29.1)', async () => {
  const team = await given.team({ models: ['sim-reasoning-content-tokens-7-prompt-tokens-11'] });

  const response = expectOk(await respondWith(gateway, team)({ input: 'Tell me about rivers' }));

  expect(response).toMatchObject({
    object: 'response',
    status: 'completed',
    model: team.modelGroup,
    output: [{ type: 'reasoning', summary: [{ type: 'summary_text' }] }, { type: 'message' }],
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  });
  const [job] = expectOk(await as(gateway, team).get('/api/jobs')).jobs;
  expect(job).toMatchObject({ status: 'completed', job_type: 'responses' });
});

test('a stream has the same answer as a whole response (spec 29.13)', async () => {
  const team = await given.team({ models: ['sim-reasoning-content-tokens-7'] });
  const respond = respondWith(gateway, team);

  const whole = expectOk(await respond({}));
  const events = readResponseEvents(await respond({ stream: true }));

  expectWellFormed(events);
  const texts = (response: { output: { content?: object; summary?: object }[] }) =>
    response.output.map(({ content, summary }) => content ?? summary);
  expect(texts(events.at(-1)!.response as never)).toEqual(texts(whole));
});
