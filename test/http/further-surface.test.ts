import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { answerPrompt } from './further-surface/answer-prompt.ts';

// A further surface is one more folder: its form of requests, of errors and of streams, and its routes. The engine, the streams and the
// idempotency of the product serve it as they are.
const gateway = gatewayForTests({ routes: [...routes, answerPrompt] });
const given = givenIn(gateway);

const ask = (team: GivenTeam, fields: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  as(gateway, team).post(
    '/further/prompts',
    { model: team.modelGroup, prompt: 'Tell me of rivers', ...fields },
    headers,
  );

/** The names of the events of a stream, and their data. */
const eventsOf = ({ text }: Answer) =>
  [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, data]) => ({ name, data: JSON.parse(data!) }));

const balanceOf = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_remaining;

test('a call through a further surface is answered in its form, and completes and bills a job of its own', async () => {
  const team = await given.team({ credits: 5 });

  const answer = await ask(team);

  expect(expectOk(answer)).toEqual({ call: answer.headers.get('x-call-id'), text: expect.stringMatching(/\w/) });
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));
  expect(job).toMatchObject({ status: 'completed', job_type: 'prompts', credit_applied: true });
  expect(await balanceOf(team)).toBe(4);
});

test('a stream of a further surface has its events and its end, and is made again in this form for a repeated request', async () => {
  const team = await given.team({ credits: 5 });
  const key = { 'idempotency-key': unique('key') };

  const [first, second] = [await ask(team, { stream: true }, key), await ask(team, { stream: true }, key)];

  const [begin, ...rest] = eventsOf(first);
  expect(begin).toEqual({ name: 'begin', data: { call: first.headers.get('x-call-id'), model: team.modelGroup } });
  expect(rest.at(-1)).toEqual({ name: 'end', data: { tokens: expect.any(Number) } });
  expect(first.text).not.toContain('[DONE]');
  const textOf = (answer: Answer) =>
    eventsOf(answer)
      .map(({ data }) => data.text ?? '')
      .join('');
  expect(textOf(first)).toMatch(/\w/);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(eventsOf(second)[0]).toEqual(begin);
  expect(textOf(second)).toBe(textOf(first));
  expect(await balanceOf(team)).toBe(4);
});

test('a refused, an invalid and a failed request, and one on an unknown path, have the errors of the further surface', async () => {
  const team = await given.team({ models: ['sim-not-supported'] });
  const failing = await ask(team);
  const failingStream = await ask(team, { stream: true });

  const refused = await ask(team, { model: 'nobody' });
  const invalid = await ask(team, { prompt: 1 });
  const unknown = await sendRequest(gateway.current.url, 'get', '/further/nothing', { key: team.key });

  expect([failing.status, failing.body]).toEqual([400, { failure: 'upstream_rejected' }]);
  expect(eventsOf(failingStream).at(-1)).toEqual({ name: 'failure', data: { failure: 'upstream_rejected' } });
  expect([refused.status, refused.body]).toEqual([403, { failure: 'model_group_unusable' }]);
  expect([invalid.status, invalid.body]).toEqual([400, { failure: 'body.prompt' }]);
  expect([unknown.status, unknown.body]).toEqual([404, { failure: 'path_not_found' }]);
  for (const { headers } of [failing, refused, invalid, unknown]) expect(headers.get('x-failure')).toBe('yes');
});

test('the documentation contains the route of a further surface with its errors and its stream', () => {
  const document = JSON.stringify(openApiDocument([...routes, answerPrompt]));

  expect(document).toContain('"/further/prompts"');
  expect(document).toContain('"failure":"key_invalid"');
  expect(document).toContain('event: text');
});
