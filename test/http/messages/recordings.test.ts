import { readFileSync } from 'node:fs';
import { gatewayForTests } from '../../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { joinEvents, readNamedEvents } from './messages.ts';

interface Recorded {
  client: string;
  path: string;
  headers: Record<string, string>;
  body: Json;
}

/** Requests of agents and SDKs as they send them, with their long texts cut. */
const recorded: Recorded[] = JSON.parse(readFileSync(new URL('recorded-requests.json', import.meta.url), 'utf8'));

const gateway = gatewayForTests();
const given = givenIn(gateway);

const model = `sim-strict-as-${unique('agents')}`;
let team: GivenTeam;
beforeAll(async () => {
  team = await given.team({ models: [model], credits: 50 });
});

const replay = ({ path, headers, body }: Recorded) =>
  sendRequest(gateway.current.url, 'post', path, {
    headers: { ...headers, 'x-api-key': team.key },
    body: { ...body, model: team.modelGroup },
  });
const sentUpstream = (): Json => gateway.current.simulator.requestsFor({ model }).at(-1)!.body;
const ofClient = (client: string) => recorded.filter((one) => one.client.startsWith(client));

test.each(recorded.map((one, index) => [one.client, index, one] as const))(
  'a request of %s (%i) is answered over a server that is strict (spec 28.3, spec 28.5)',
  async (_client, _index, one) => {
    const answer = await replay(one);

    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    if (one.path.includes('count_tokens')) expect(answer.body.input_tokens).toBeGreaterThan(0);
    else {
      const message = one.body.stream ? joinEvents(readNamedEvents(answer.text)) : answer.body;
      expect(message.content.length).toBeGreaterThan(0);
    }
  },
);

test('a turn of Claude Code reaches the model without its billing header, with its result, and with the same beginning (spec 28.4, spec 28.5)', async () => {
  const [first, second] = ofClient('claude-code-2.1.328-turn');

  const answer = await replay(first!);
  const before = sentUpstream();
  await replay(second!);
  const after = sentUpstream();

  expect(answer.headers.get('x-ignored-fields')).toBe('context_management');
  expect(JSON.stringify(before)).not.toContain('billing-header');
  expect(before).toMatchObject({ max_tokens: 32_000, reasoning_effort: 'high', stream: true });
  expect(before.tools.map((tool: Json) => tool.function.name)).toEqual(['Agent', 'Bash']);
  expect(after.messages.map(({ role }: Json) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(after.messages[2].tool_calls[0].function).toEqual({
    name: 'Bash',
    arguments: '{"command":"echo hi","description":"Say hi"}',
  });
  expect(after.messages[3]).toMatchObject({ content: 'hi', cache_control: { type: 'ephemeral' } });
  const textOf = ({ content }: Json) => content.map((part: Json) => part.text).join('');
  expect(after.messages.slice(0, 2).map(textOf)).toEqual(before.messages.map(textOf));
});

test('Claude Code that lost a stream receives its events from the first on, and a turn is one job (spec 27.9, spec 28.1)', async () => {
  const slow = await given.team({ models: ['sim-tokens-20-every-100'], credits: 5 });
  const [turn] = ofClient('claude-code-2.1.328-turn');
  const headers = { ...turn!.headers, 'x-api-key': slow.key, 'x-claude-code-session-id': unique('session') };
  const body = { ...turn!.body, model: slow.modelGroup, tools: [] };
  const leaving = new AbortController();
  const first = await fetch(`${gateway.current.url}/v1/messages`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  await first.body!.getReader().read();
  leaving.abort();

  const again = await sendRequest(gateway.current.url, 'post', '/v1/messages', { headers, body });

  expect(again.headers.get('x-call-id')).toBe(first.headers.get('x-call-id'));
  expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  expect(joinEvents(readNamedEvents(again.text)).content[0].text).toMatch(/\w/);
});
