import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { readResponseEvents, respondWith, responsesOf } from './respond.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** A team whose model reasons and repeats the last message of the user. */
async function echoing() {
  const model = `sim-echo-reasoning-content-as-${unique('state')}`;
  return { ...(await given.team({ models: [model] })), model };
}
type EchoingTeam = Awaited<ReturnType<typeof echoing>>;

/** The messages that the upstream has received in the last request of the team. */
function lastMessages(team: EchoingTeam): Json[] {
  const requests = gateway.current.simulator.requestsFor({ model: team.model });
  return (requests.at(-1)!.body as Json).messages;
}

test('previous_response_id goes on with the input and the answer of that response, any number of times (spec 29.3)', async () => {
  const team = await echoing();
  const respond = respondWith(gateway, team);
  const first = expectOk(await respond({ input: 'one', instructions: 'Be brief' }));

  const second = expectOk(await respond({ input: 'two', previous_response_id: first.id }));
  const third = expectOk(await respond({ input: 'three', previous_response_id: second.id }));
  const again = expectOk(await respond({ input: 'four', previous_response_id: first.id }));

  expect(third.previous_response_id).toBe(second.id);
  expect(lastMessages(team).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'one'],
    ['assistant', 'one'],
    ['user', 'four'],
  ]);
  expect(again.status).toBe('completed');
});

test('a stream can be gone on with as soon as its last event was sent (spec 29.3)', async () => {
  const team = await echoing();
  const respond = respondWith(gateway, team);
  const events = readResponseEvents(await respond({ input: 'one', stream: true }));
  const { id } = events.at(-1)!.response as { id: string };

  expectOk(await respond({ input: 'two', previous_response_id: id, stream: false }));
});

test('an item_reference becomes the item as it was answered, with its state (spec 29.3)', async () => {
  const team = await echoing();
  const respond = respondWith(gateway, team);
  const { output } = expectOk(await respond({ input: 'one' }));
  const references = output.map(({ id }: Json) => ({ type: 'item_reference', id }));

  expectOk(
    await respond({ input: [{ role: 'user', content: 'one' }, ...references, { role: 'user', content: 'two' }] }),
  );

  const [, assistant] = lastMessages(team);
  expect(assistant).toMatchObject({
    role: 'assistant',
    content: 'one',
    reasoning_content: expect.stringMatching(/^Let me/),
  });
});

test('the encrypted content of reasoning brings the state of the model back, altered it is left out (spec 29.2)', async () => {
  const team = await echoing();
  const respond = respondWith(gateway, team);
  const { output } = expectOk(await respond({ input: 'one', store: false }));
  const [reasoning, message] = output;
  expect(reasoning.encrypted_content).toMatch(/^[\w-]{20,}$/);
  const goOn = async (item: object) => {
    expectOk(
      await respond({ input: [{ role: 'user', content: 'one' }, item, message, { role: 'user', content: 'two' }] }),
    );
    return lastMessages(team)[1];
  };

  expect(await goOn(reasoning)).toHaveProperty('reasoning_content');
  const altered = { ...reasoning, encrypted_content: `A${reasoning.encrypted_content.slice(1)}` };
  expect(await goOn(altered)).not.toHaveProperty('reasoning_content');
});

test.each([
  ['unknown', () => 'rs_00000000000000000000000000000000_0'],
  ['of a provider', () => 'rs_1774'],
  ["of another team's response", (other: string) => other],
])('a reference to an item that is %s is 404 with its place (spec 29.3)', async (_, idOf) => {
  const [team, other] = [await echoing(), await echoing()];
  const foreign = expectOk(await respondWith(gateway, other)({ input: 'one' })).output[0].id;

  const refused = await respondWith(
    gateway,
    team,
  )({
    input: [
      { role: 'user', content: 'x' },
      { type: 'item_reference', id: idOf(foreign) },
    ],
  });

  expect(refused.status).toBe(404);
  expect(refused.body.error).toMatchObject({
    code: 'item_not_found',
    param: 'input[1].id',
    type: 'invalid_request_error',
  });
});

test('a response that is not stored, of another team or unknown cannot be named (spec 29.3)', async () => {
  const [team, other] = [await echoing(), await echoing()];
  const hidden = expectOk(await respondWith(gateway, team)({ store: false })).id;
  const foreign = expectOk(await respondWith(gateway, other)({})).id;
  for (const id of [hidden, foreign, 'resp_1768', `resp_${'0'.repeat(32)}`]) {
    const named = await respondWith(gateway, team)({ previous_response_id: id });
    expect([named.status, named.body.error.code, named.body.error.param]).toEqual([
      404,
      'response_not_found',
      'previous_response_id',
    ]);
    const read = await responsesOf(gateway, team).get(id);
    expect([read.status, read.body.error.code]).toEqual([404, 'response_not_found']);
    expect((await responsesOf(gateway, team).delete(id)).status).toBe(404);
    expect((await responsesOf(gateway, team).inputItems(id)).status).toBe(404);
  }
});

test('a failed response cannot be gone on with, and is read with its error (spec 29.3, spec 29.4)', async () => {
  const team = await given.team({ models: ['sim-stream-cut-2'] });
  const events = readResponseEvents(await respondWith(gateway, team)({ stream: true }));
  const { id } = events[0]!.response as { id: string };
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'server_error' } });

  const refused = await respondWith(gateway, team)({ previous_response_id: id });
  const read = expectOk(await responsesOf(gateway, team).get(id));

  expect([refused.status, refused.body.error.code]).toEqual([400, 'previous_response_not_ready']);
  expect(read).toEqual(events.at(-2)!.response);
});

test('a response is read as it was answered, and its events number by number as they were sent (spec 29.4, spec 29.17)', async () => {
  const team = await given.team({ models: ['sim-reasoning-content-tokens-20-every-5'] });
  const live = readResponseEvents(await respondWith(gateway, team)({ stream: true }));
  const last = live.at(-1)!.response as Json;
  const { get } = responsesOf(gateway, team);

  expect(expectOk(await get(last.id))).toEqual(last);
  expect(readResponseEvents(await get(last.id, '?stream=true'))).toEqual(live);
  expect(readResponseEvents(await get(last.id, '?stream=true&starting_after=10'))).toEqual(live.slice(11));
  expect(readResponseEvents(await get(last.id, `?stream=true&starting_after=${live.length}`))).toEqual([]);
});

test('a whole response has events too (spec 29.17)', async () => {
  const team = await echoing();
  const whole = expectOk(await respondWith(gateway, team)({}));

  const events = readResponseEvents(await responsesOf(gateway, team).get(whole.id, '?stream=true'));

  expect(events.at(-1)!.response).toEqual(whole);
});

test('the items of the whole input are listed in pages, the newest first (spec 29.4)', async () => {
  const team = await echoing();
  const respond = respondWith(gateway, team);
  const first = expectOk(await respond({ input: 'one' }));
  const { id } = expectOk(
    await respond({ input: [{ role: 'user', content: 'two', id: 'msg_mine' }], previous_response_id: first.id }),
  );
  const { inputItems } = responsesOf(gateway, team);

  const all = expectOk(await inputItems(id));
  const page = expectOk(await inputItems(id, '?limit=2&order=asc'));
  const next = expectOk(await inputItems(id, `?limit=2&order=asc&after=${page.last_id}`));

  expect(all).toMatchObject({ object: 'list', has_more: false, first_id: 'msg_mine' });
  expect(all.data).toHaveLength(4);
  expect(all.data[0]).toMatchObject({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'two' }] });
  expect(page).toMatchObject({ has_more: true, last_id: first.output[0].id });
  expect([...page.data, ...next.data].reverse()).toEqual(all.data);
  expect((await inputItems(id, '?after=msg_nobody')).status).toBe(400);
  expect((await inputItems(id, '?limit=101')).status).toBe(400);
});

test('DELETE deletes what is stored; job, figures and ledger stay (spec 29.4)', async () => {
  const team = await echoing();
  const answer = await respondWith(gateway, team)({});
  const { id } = expectOk(answer);
  const jobId = answer.headers.get('x-job-id');
  const before = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));

  expect(expectOk(await responsesOf(gateway, team).delete(id))).toEqual({ id, object: 'response', deleted: true });

  expect((await responsesOf(gateway, team).get(id)).status).toBe(404);
  expect((await responsesOf(gateway, team).delete(id)).status).toBe(404);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`))).toEqual(before);
});

test('a response that is being made is read with what is written so far, and not deleted (spec 29.4)', async () => {
  const team = await given.team({ models: ['sim-tokens-400-every-20'] });
  const started = expectOk(await respondWith(gateway, team)({ background: true }));
  const { get, delete: remove } = responsesOf(gateway, team);
  let now = started;
  while (!now.output.length) now = expectOk(await get(started.id));

  expect(now).toMatchObject({ status: 'in_progress', output: [{ type: 'message', status: 'in_progress' }] });
  expect((await get(started.id)).headers.get('openai-poll-after-ms')).toMatch(/^\d+$/);
  const refused = await remove(started.id);
  expect([refused.status, refused.body.error.code]).toEqual([400, 'response_in_progress']);
  const early = await respondWith(gateway, team)({ previous_response_id: started.id });
  expect([early.status, early.body.error.code]).toEqual([400, 'previous_response_not_ready']);
});

test('the input of a response shows a state only where the response shows states (spec 29.2, spec 29.4)', async () => {
  const team = await echoing();
  const { inputItems } = responsesOf(gateway, team);
  const first = expectOk(await respondWith(gateway, team)({ input: 'one' }));
  const next = async (fields: object) =>
    expectOk(await respondWith(gateway, team)({ input: 'two', previous_response_id: first.id, ...fields }));

  const [hidden, shown] = [await next({}), await next({ include: ['reasoning.encrypted_content'] })];

  const reasoningOf = async (id: string) =>
    expectOk(await inputItems(id)).data.find(({ type }: Json) => type === 'reasoning');
  expect(await reasoningOf(hidden.id)).not.toHaveProperty('encrypted_content');
  expect(await reasoningOf(shown.id)).toMatchObject({ encrypted_content: expect.stringMatching(/^.{20}/) });
});

test('an empty starting_after is refused (spec 29.17)', async () => {
  const team = await echoing();
  const { id } = expectOk(await respondWith(gateway, team)({ input: 'one' }));

  const refused = await responsesOf(gateway, team).get(id, '?stream=true&starting_after=');

  expect([refused.status, refused.body.error.param]).toEqual([400, 'starting_after']);
});
