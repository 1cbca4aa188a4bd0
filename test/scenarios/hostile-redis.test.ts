import { Redis } from 'ioredis';
import { statement } from '../../src/db/sql/statement.ts';
import { channel, streamKey } from '../../src/domain/ids.ts';
import { junkAbout } from '../redis/junk.ts';
import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { services } from '../support/services.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
let stranger: Redis;

beforeAll(() => {
  stranger = new Redis(services.redisUrl);
});
afterAll(() => stranger.disconnect());

/** Writes malformed messages to every channel and to the stream of the call. */
async function writeJunk(callId: string): Promise<void> {
  const channels = [channel.call(callId), channel.cancelled, channel.stopped];
  for (const text of junkAbout(callId)) {
    for (const name of channels) await stranger.publish(name, text);
    await stranger.xadd(streamKey.call(callId), '*', 'frame', text);
  }
  await stranger.xadd(streamKey.call(callId), '*', 'neither', 'nor');
}

const callOfTeam = statement(
  'call_of_team',
  'select c.call_id from calls c join jobs j on j.job_id = c.job_id where j.team_id = :team_id',
);

const textOf = (stream: string): string =>
  readEvents(stream)
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event).choices[0].delta.content ?? '')
    .join('');

const startStream = (team: GivenTeam, job: string, key: string) =>
  fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ model_group: team.modelGroup, messages: hello }),
  });

test('a stream during which malformed messages are written to Redis has its whole text and its end, and later calls succeed', async () => {
  const team = await given.team({ models: ['sim-tokens-60-every-50'] });
  const job = await given.job(team);
  const expected = expectOk(await as(gateway, team).call(job)).response.content;

  const streamed = await startStream(team, job, 'one');
  await writeJunk(streamed.headers.get('x-call-id')!);
  const joined = await startStream(team, job, 'one');
  const texts = await Promise.all([streamed.text(), joined.text()]);

  for (const text of texts) {
    expect(textOf(text)).toBe(expected);
    expect(text).toMatch(/"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/);
  }
  expect(expectOk(await as(gateway, team).call(job)).response.content).toBe(expected);
  expect(textOf((await as(gateway, team).stream(job)).text)).toBe(expected);
});

test('a call without a stream during which malformed messages are written to Redis succeeds', async () => {
  const team = await given.team({ models: ['sim-slow-5000'] });
  const answering = as(gateway, team).single();
  await untilRequested(gateway, 'sim-slow-5000');
  const [row] = await gateway.current.deps.database.query<{ call_id: string }>(callOfTeam, {
    team_id: team.teamId,
  });

  await writeJunk(row!.call_id);

  expect(expectOk(await answering)).toMatchObject({ status: 'completed' });
});

test('a stop of a running call that nobody has requested, forged in Redis, has no effect (spec 26.10)', async () => {
  const model = 'sim-tokens-20-every-40-as-forged-stop';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const streaming = as(gateway, team).stream(job);
  await untilRequested(gateway, model);
  const [call] = await gateway.current.deps.database.query<{ call_id: string }>(callOfTeam, { team_id: team.teamId });

  await stranger.publish(channel.stopped, call!.call_id);

  expect((await streaming).text).toContain('"finish_reason":"stop"');
});
