import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('an answer of 10 MiB in one chunk arrives complete, streamed and not', async () => {
  const team = await given.team({ models: ['sim-huge-chunk-10'] });
  const job = await given.job(team);

  const whole = expectOk(await as(gateway, team).call(job));
  const events = readEvents((await as(gateway, team).stream(job)).text);

  const text = events.slice(0, -1).map((event) => JSON.parse(event).choices[0].delta.content ?? '');
  expect(whole.response.content).toHaveLength(10 * 1_048_576);
  expect(text.join('') === whole.response.content).toBe(true);
  expect(events.at(-1)).toBe('[DONE]');
}, 120_000);
