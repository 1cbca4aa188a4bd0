import { chat, send, simulatorForTests } from './ask.ts';

const simulator = simulatorForTests();
const post = (path: string, body: unknown) => send(`${simulator.url}${path}`, body);
const drop = (path: string) => send(`${simulator.url}${path}`, undefined, { method: 'DELETE' });

test('any model can be made to fail twice and then work', async () => {
  await post('/simulator/scripts', { model: 'gpt-4o', times: 2, as: 'sim-fail-500' });

  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await chat(simulator, 'gpt-4o')).status);

  expect(statuses).toEqual([500, 500, 200]);
});

test('a behaviour can be spelt out, and forgotten', async () => {
  await post('/simulator/scripts', { model: 'gpt-4.1', behaviour: { finishReason: 'content_filter', costUsd: 0.25 } });
  const scripted = await chat(simulator, 'gpt-4.1');
  await drop('/simulator/scripts');
  const plain = await chat(simulator, 'gpt-4.1');

  expect(scripted.json).toMatchObject({ choices: [{ finish_reason: 'content_filter' }] });
  expect(scripted.headers.get('x-litellm-response-cost')).toBe('0.25');
  expect(plain.json).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('a path can be scripted: the team is made, and its maker never hears of it', async () => {
  simulator.current.script('/team/new', 'sim-stream-cut-0', 1);

  await expect(post('/team/new', { team_id: 'unheard' })).rejects.toThrow();

  expect((await send(`${simulator.url}/team/info?team_id=unheard`)).status).toBe(200);
});

test.each([
  { model: 'gpt-4o' },
  { model: 'gpt-4o', as: 'sim-nonsense' },
  { as: 'sim-ok' },
  { model: 'gpt-4o', behaviour: { fault: { kind: 'nonsense' } } },
])('a script that means nothing is refused: %j', async (script) => {
  expect((await post('/simulator/scripts', script)).status).toBe(400);
});

test('requests are kept, found and forgotten', async () => {
  await drop('/simulator/requests');
  await chat(simulator, 'sim-ok', { user: 'anna' }, 'sk-one');
  await chat(simulator, 'gpt-4o', { user: 'bert' }, 'sk-two');

  const found = await send(`${simulator.url}/simulator/requests?user=bert`);
  expect(found.json).toMatchObject([
    { model: 'gpt-4o', key: 'sk-two', outcome: 'answered', aborted: false, status: 200 },
  ]);
  expect(simulator.current.counts()).toMatchObject({ total: 2, models: { 'sim-ok': 1, 'gpt-4o': 1 } });

  await drop('/simulator/requests');
  expect(simulator.current.requests).toEqual([]);
});
