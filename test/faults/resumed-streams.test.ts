import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { type Json, sendRequest } from '../support/send-request.ts';
import { minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { startOwnRedis } from './support/own-redis.ts';
import { readCut } from './support/read-cut.ts';
import { repeat } from './support/workload.ts';

/** In each the fault comes 30 streams later. */
const rounds = sized({ short: 1, full: 4 });
/** As many events as a reader receives before it leaves. */
const leavesAfter = [1, 1, 2, 5];
const readersAtOnce = 200;

const installation = installationForTests({ apis: 2 });
const given = givenIn(installation);

/** Answers of ten seconds: texts with characters of one byte and of every length, tool calls, and one that comes whole. */
const models = [
  { model: 'sim-echo-every-40', streamed: true },
  { model: 'sim-tokens-120-every-80', streamed: true },
  { model: 'sim-two-tools-every-400', streamed: true },
  { model: 'sim-echo-slow-8000', streamed: false },
];

/** What `sim-echo` answers. A token is up to six characters, so that some end within a pair of surrogates. */
const prompt = Array.from({ length: 60 }, (_, n) => `${n} Grüße 你好👩‍👩‍👧‍👦${'x'.repeat(n % 7)}🎉`).join(' ');

interface RunningCall {
  team: GivenTeam;
  path: string;
}

async function givenRunning(model: string, streamed: boolean): Promise<RunningCall> {
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  const make = as(installation, team)[streamed ? 'stream' : 'call'];
  const messages = [{ role: 'user', content: prompt }];
  const { job_id, call_id } = (await make(job, { messages }, { prefer: 'respond-async' })).body;
  return { team, path: `/api/jobs/${job_id}/calls/${call_id}` };
}

async function readRecord({ team, path }: RunningCall): Promise<Json> {
  const ended = await as(installation, team).get(`${path}?include=response&wait=60`);
  return expectOk(ended);
}

/** The message that a chain of streams has delivered, and in how many chunks it had a role. */
interface Delivered {
  content: string;
  tools: Record<number, string>;
  roles: number;
  /** The code of an error event. */
  error?: string;
}

/** Reads a call over both apis in turn, and leaves each stream after so many events, until everything was delivered. */
async function readInPieces(
  { team, path }: RunningCall,
  events: number,
  first: number,
  onPiece: () => void,
): Promise<Delivered> {
  const delivered: Delivered = { content: '', tools: {}, roles: 0 };
  const { apis } = installation.current;
  let lastId: string | undefined;
  for (let turn = first; ; turn += 1) {
    const url = apis[turn % apis.length]!.listening;
    const piece = await readCut(`${url}${path}/stream`, { key: team.key, lastId, events });
    if (piece.status === 204) return delivered;
    expect(piece.status).toBe(200);
    onPiece();
    for (const { data } of piece.events) if (data !== '[DONE]') add(delivered, JSON.parse(data));
    lastId = piece.events.at(-1)?.id ?? lastId;
  }
}

function add(delivered: Delivered, { choices, error }: Json): void {
  if (error) delivered.error = error.code;
  const delta = choices?.[0]?.delta ?? {};
  delivered.content += delta.content ?? '';
  for (const { index, function: called } of delta.tool_calls ?? [])
    delivered.tools[index] = (delivered.tools[index] ?? '') + (called.name ?? '') + (called.arguments ?? '');
  if (delta.role) delivered.roles += 1;
}

/** What a chain of streams is to deliver of a recorded call. */
const expected = ({ response }: Json) => ({
  content: response.content ?? '',
  tools: Object.fromEntries(
    (response.tool_calls ?? []).map(({ function: called }: Json, index: number) => [
      index,
      called.name + called.arguments,
    ]),
  ),
  roles: 1,
});

type OwnRedis = Awaited<ReturnType<typeof startOwnRedis>>;
let redis: OwnRedis;
/** A Redis of these tests alone: they kill it, and delete everything in it. */
async function useNewRedis(): Promise<void> {
  redis = await startOwnRedis();
  for (const link of installation.current.linksTo('redis')) {
    await link.down();
    link.setTarget(redis.url);
    await link.up();
  }
  await installation.current.ready();
}
beforeEach(useNewRedis);
afterEach(() => redis.close());

const inRedis = async (work: (client: Redis) => Promise<unknown>) => {
  const client = new Redis(redis.url);
  await work(client).finally(() => client.disconnect());
};

const faults: Record<string, () => Promise<void>> = {
  'while Redis is killed and comes back without data': async () => {
    await redis.close();
    await pause(1_500);
    await useNewRedis();
  },
  'after the stored frames were deleted': () => inRedis((client) => client.flushall()),
  'after the stored frames have expired one by one': () =>
    inRedis(async (client) => {
      const keys = await client.keys('*');
      for (const key of keys) {
        await client.pexpire(key, 1);
        await pause(50);
      }
    }),
};

test.each(Object.keys(faults))(
  'streams that are cut after each chunk and go on over two apis %s have the recorded text, no character lost or repeated (spec 26.7, spec 26.8, money 6.2)',
  async (fault) => {
    let streams = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const before = streams;
      const readAll = async ({ model, streamed }: (typeof models)[number]) => {
        const call = await givenRunning(model, streamed);
        const reading = leavesAfter.map((events, first) => readInPieces(call, events, first, () => (streams += 1)));
        const record = await readRecord(call);
        expect(record.status).toBe('succeeded');
        for (const delivered of await Promise.all(reading)) expect(delivered).toEqual(expected(record));
      };
      const breaking = until(() => streams - before > 30 * round).then(faults[fault]);
      await Promise.all([...models.map(readAll), breaking]);
    }
    figures(`streams resumed ${fault}`, { 'rounds, streams': `${rounds}, ${streams}` });
  },
  minutes(2, 8),
);

test(
  'streams of a call whose workers are killed in the middle of its answer end with its error event, also where they go on behind the last chunk (spec 26.7, spec 26.8)',
  async () => {
    const { workers } = installation.current;
    const call = await givenRunning('sim-echo-every-80', true);
    let streams = 0;
    const reading = leavesAfter.map((events, first) => readInPieces(call, events, first, () => (streams += 1)));
    await until(() => streams > 40);

    for (const worker of workers) worker.kill();

    for (const { content, ...delivered } of await Promise.all(reading)) {
      expect(delivered).toEqual({ tools: {}, roles: 1, error: 'call_failed' });
      expect(content).not.toBe('');
      expect(prompt.startsWith(content)).toBe(true);
    }
    expect(await readRecord(call)).toMatchObject({ status: 'failed', error: 'interrupted after the first token' });
  },
  minutes(2, 2),
);

test(
  '200 readers at once of one running call have its whole text each, and one more is 429 until one of them has left (spec 26.7, spec 26.9, money 6.3)',
  async () => {
    const call = await givenRunning('sim-echo-every-80', true);
    const url = `${installation.current.apis[0]!.listening}${call.path}/stream`;
    const { key } = call.team;
    const all = { key, events: Number.POSITIVE_INFINITY };
    const reading = await repeat(readersAtOnce, 20, async () => {
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const whole = readCut(url, { ...all, onBegun: resolve });
      await begun;
      return { whole };
    });

    const refused = await sendRequest(url, 'get', '', { key });
    const otherApi = installation.current.apis[1]!.listening;
    const beside = readCut(`${otherApi}${call.path}/stream`, all);

    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    const texts = (await Promise.all([...reading.map(({ whole }) => whole), beside])).map(({ events }) =>
      events
        .filter(({ data }) => data !== '[DONE]')
        .map(({ data }) => JSON.parse(data).choices[0]?.delta.content ?? '')
        .join(''),
    );
    expect(texts).toHaveLength(readersAtOnce + 1);
    expect((await readRecord(call)).response.content).toBe(prompt);
    expect(new Set(texts)).toEqual(new Set([prompt]));
    await until(async () => (await readCut(url, all)).status === 200);
  },
  minutes(2, 2),
);
