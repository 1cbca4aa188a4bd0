import { chat, send, simulatorForTests } from './client.ts';

const simulator = simulatorForTests();
const post = (path: string, body: unknown) => send(`${simulator.url}${path}`, body);
const remove = (path: string) => send(`${simulator.url}${path}`, undefined, { method: 'DELETE' });

test('a script makes a model fail twice, and then it answers again', async () => {
  await post('/simulator/scripts', { model: 'gpt-4o', times: 2, as: 'sim-fail-500' });

  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await chat(simulator, 'gpt-4o')).status);

  expect(statuses).toEqual([500, 500, 200]);
});

test('a script with a behaviour applies until it is deleted', async () => {
  await post('/simulator/scripts', { model: 'gpt-4.1', behaviour: { finishReason: 'content_filter', costUsd: 0.25 } });
  const scripted = await chat(simulator, 'gpt-4.1');
  await remove('/simulator/scripts');
  const plain = await chat(simulator, 'gpt-4.1');

  expect(scripted.json).toMatchObject({ choices: [{ finish_reason: 'content_filter' }] });
  expect(scripted.headers.get('x-litellm-response-cost')).toBe('0.25');
  expect(plain.json).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('a script names the tool that a model calls, with its arguments, and afterwards that it calls none', async () => {
  const call = { name: 'spawn', arguments: { message: 'hello' } };
  simulator.current.script('gpt-4o-mini', { calls: call }, 1);
  simulator.current.script('gpt-4o-mini', { calls: null }, 1);
  const spawn = { type: 'function', function: { name: 'spawn', parameters: { type: 'object', properties: {} } } };
  const fields = { tools: [spawn], tool_choice: 'required' };

  const [first, second] = [await chat(simulator, 'gpt-4o-mini', fields), await chat(simulator, 'gpt-4o-mini', fields)];

  const called = { function: { name: 'spawn', arguments: JSON.stringify(call.arguments) } };
  expect(first.json).toMatchObject({ choices: [{ message: { tool_calls: [called] } }] });
  expect(second.json).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('a script for a path can cut the connection after the team was created', async () => {
  simulator.current.script('/team/new', 'sim-stream-cut-0', 1);

  await expect(post('/team/new', { team_id: 'unanswered' })).rejects.toThrow();

  expect((await send(`${simulator.url}/team/info?team_id=unanswered`)).status).toBe(200);
});

test.each([
  { model: 'gpt-4o' },
  { model: 'gpt-4o', as: 'sim-nonsense' },
  { as: 'sim-ok' },
  { model: 'gpt-4o', behaviour: { fault: { kind: 'nonsense' } } },
])('an invalid script is refused: %j', async (script) => {
  expect((await post('/simulator/scripts', script)).status).toBe(400);
});

test('requests are logged, can be filtered, and can be cleared', async () => {
  await remove('/simulator/requests');
  await chat(simulator, 'sim-ok', { user: 'anna' }, 'sk-one');
  await chat(simulator, 'gpt-4o', { user: 'bert' }, 'sk-two');

  const found = await send(`${simulator.url}/simulator/requests?user=bert`);
  expect(found.json).toMatchObject([
    { model: 'gpt-4o', key: 'sk-two', outcome: 'answered', aborted: false, status: 200 },
  ]);
  expect(simulator.current.counts()).toMatchObject({ total: 2, models: { 'sim-ok': 1, 'gpt-4o': 1 } });

  await remove('/simulator/requests');
  expect(simulator.current.requests).toEqual([]);
});
