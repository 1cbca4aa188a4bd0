import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { messagesWith, readNamedEvents } from '../messages/messages.ts';
import { readResponseEvents, respondWith, responsesOf } from './respond.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** A team whose model reasons for more than 256 KiB. */
async function ponderous() {
  const model = `sim-echo-reasoning-tokens-60000-as-${unique('long')}`;
  return { ...(await given.team({ models: [model] })), model };
}

/** The reasoning that the model of the team has received in its last request. */
function reasoningSentBack({ model }: { model: string }): string | undefined {
  const requests = gateway.current.simulator.requestsFor({ model });
  const { messages } = requests.at(-1)!.body as Json;
  return messages.find(({ role }: Json) => role === 'assistant').reasoning_content;
}

test('a state of more than 256 KiB is not shown, and a reference brings it back to its model (spec 31.1, spec 29.3)', async () => {
  const team = await ponderous();
  const respond = respondWith(gateway, team);
  const first = expectOk(await respond({ input: 'one', include: ['reasoning.encrypted_content'] }));
  const [reasoning] = first.output;
  const [{ text }] = reasoning.summary;

  expect(text.length).toBeGreaterThan(262_144);
  expect(reasoning).not.toHaveProperty('encrypted_content');
  expect(expectOk(await responsesOf(gateway, team).get(first.id)).output).toEqual(first.output);

  expectOk(await respond({ input: 'two', previous_response_id: first.id }));
  expect(reasoningSentBack(team)).toBe(text);
  const references = first.output.map(({ id }: Json) => ({ type: 'item_reference', id }));
  expectOk(await respond({ input: [...references, { role: 'user', content: 'three' }] }));
  expect(reasoningSentBack(team)).toBe(text);
  const items = [{ type: 'reasoning', id: reasoning.id, summary: [] }, ...first.output.slice(1)];
  expectOk(await respond({ input: [...items, { role: 'user', content: 'four' }] }));
  expect(reasoningSentBack(team)).toBe(text);
});

test('the events of a stream with such a state are the same live and from the record (spec 31.1, spec 29.17)', async () => {
  const team = await ponderous();
  const fields = { stream: true, include: ['reasoning.encrypted_content'] };
  const live = readResponseEvents(await respondWith(gateway, team)(fields));
  const { id } = live.at(-1)!.response as { id: string };

  expect(readResponseEvents(await responsesOf(gateway, team).get(id, '?stream=true'))).toEqual(live);
  expect(JSON.stringify(live)).not.toContain('encrypted_content":"');
});

test('a thread brings such a state back, whole and streamed (spec 31.1, spec 28.16)', async () => {
  const team = await ponderous();
  const messages = messagesWith(gateway, team);

  for (const stream of [false, true]) {
    const first = await messages({ thread: { type: 'create' }, stream });
    const id = stream ? readNamedEvents(first.text)[0].message.id : expectOk(first).id;
    expect(first.text.length).toBeLessThan(stream ? 20_000_000 : 600_000);
    const thread = { type: 'continue', previous_message_id: id };
    expectOk(await messages({ thread, messages: [{ role: 'user', content: 'two' }] }));
    expect(reasoningSentBack(team)!.length).toBeGreaterThan(262_144);
  }
});

test('deleting the response deletes its state (spec 31.1, spec 29.4)', async () => {
  const team = await ponderous();
  const { id, output } = expectOk(await respondWith(gateway, team)({ input: 'one' }));
  expectOk(await responsesOf(gateway, team).delete(id));

  expectOk(await respondWith(gateway, team)({ input: [...output, { role: 'user', content: 'two' }] }));
  expect(reasoningSentBack(team)).toBeUndefined();
});
