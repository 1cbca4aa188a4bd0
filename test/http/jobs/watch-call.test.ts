import { randomUUID } from 'node:crypto';
import { closeCall } from '../../../src/db/calls/close-call.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

interface Event {
  id: string;
  data: string;
}

/** The events of a whole stream, after its first line. */
function eventsOf({ status, text }: Answer): Event[] {
  expect(status).toBe(200);
  const [retry, ...blocks] = text.split('\n\n');
  expect(retry).toBe('retry: 1000');
  return blocks
    .filter((block) => !block.startsWith(':') && block !== '')
    .map((block) => {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(block)!;
      return { id: id!, data: data! };
    });
}

const chunksOf = (events: Event[]): Json[] =>
  events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data));
const textOf = (events: Event[]): string =>
  chunksOf(events)
    .map((chunk) => chunk.choices?.[0].delta.content ?? '')
    .join('');

const pathOf = (job: string, call: string) => `/api/jobs/${job}/calls/${call}/stream`;

function watch(team: GivenTeam, job: string, call: string, lastId?: string): Promise<Answer> {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
  return sendRequest(gateway.current.url, 'get', pathOf(job, call), { key: team.key, headers });
}

const recorded = async (team: GivenTeam, job: string, call: string): Promise<Json> =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=response`));

/** A call whose answer takes a while, once it is recorded. */
async function givenRunning(
  team: GivenTeam,
  streamed: boolean,
): Promise<{ job: string; call: string; end: Promise<Answer> }> {
  const job = await given.job(team);
  const make = as(gateway, team)[streamed ? 'stream' : 'call'];
  const end = make(job);
  const { calls } = await until(
    async () => expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)),
    ({ calls: [call] }) => call?.status === 'running',
  );
  return { job, call: calls[0].call_id, end };
}

test.each([
  ['streamed', true],
  ['not streamed', false],
])(
  'a %s call that has ended is read as a stream, and on from each of its events without a character lost (spec 26.7, spec 26.8)',
  async (_, streamed) => {
    const team = await given.team({ models: ['sim-unicode-tokens-60'] });
    const job = await given.job(team);
    const made = await as(gateway, team)[streamed ? 'stream' : 'call'](job);
    const call = made.headers.get('x-call-id')!;
    const { response } = await recorded(team, job, call);

    const events = eventsOf(await watch(team, job, call));

    expect(textOf(events)).toBe(response.content);
    expect(events.at(-1)!.data).toBe('[DONE]');
    expect(chunksOf(events)[0].choices[0].delta.role).toBe('assistant');
    expect(chunksOf(events).at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { total_tokens: expect.any(Number) },
    });
    for (const [index, { id }] of events.entries()) {
      const answer = await watch(team, job, call, id);
      if (index === events.length - 1) expect(answer.status).toBe(204);
      else {
        const rest = eventsOf(answer);
        expect(textOf(events.slice(0, index + 1)) + textOf(rest)).toBe(response.content);
        expect(chunksOf(rest).some((chunk) => chunk.choices?.[0].delta.role)).toBe(false);
        expect(rest.at(-1)!.data).toBe('[DONE]');
      }
    }
  },
);

test.each([
  ['streamed', true, 'sim-tokens-60-every-30'],
  ['not streamed', false, 'sim-slow-1500-tokens-60'],
  ['with tool calls', true, 'sim-two-tools-every-30'],
])(
  'a running call, %s, is read as it comes, by many readers that begin at different moments (spec 26.7)',
  async (_, streamed, model) => {
    const team = await given.team({ models: [model] });
    const { job, call, end } = await givenRunning(team, streamed);
    const readers = [watch(team, job, call)];
    await end.then(() => readers.push(watch(team, job, call)));
    readers.push(watch(team, job, call));
    const { response } = await recorded(team, job, call);

    for (const reader of readers) {
      const events = eventsOf(await reader);
      expect(textOf(events)).toBe(response.content);
      const pieces = chunksOf(events).flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
      const names = pieces.flatMap(({ function: called }: Json) => called.name ?? []);
      expect(names).toEqual((response.tool_calls ?? []).map(({ function: called }: Json) => called.name));
      for (const [index, { function: called }] of (response.tool_calls ?? []).entries())
        expect(
          pieces
            .filter((piece: Json) => piece.index === index)
            .map((piece: Json) => piece.function.arguments ?? '')
            .join(''),
        ).toBe(called.arguments);
    }
  },
);

test('a reader goes on with a running call behind each event that it has received, and has the recorded text in the end (spec 26.8)', async () => {
  const team = await given.team({ models: ['sim-tokens-80-every-25'] });
  const { job, call, end } = await givenRunning(team, true);
  let text = '';
  let lastId: string | undefined;
  for (let cuts = 0; cuts < 100; cuts += 1) {
    const left = new AbortController();
    const headers: Record<string, string> = {
      authorization: `Bearer ${team.key}`,
      ...(lastId && { 'last-event-id': lastId }),
    };
    const response = await fetch(`${gateway.current.url}${pathOf(job, call)}`, { headers, signal: left.signal });
    if (response.status === 204) break;
    const [received] = await firstEvents(response, 3);
    left.abort();
    text += textOf(received!);
    lastId = received!.at(-1)!.id;
  }
  expectOk(await end);

  expect(text).toBe((await recorded(team, job, call)).response.content);
});

/** The first whole events of a stream, or all if it has fewer. */
async function firstEvents(response: Response, most: number): Promise<[Event[]]> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.startsWith('id: '));
    if (blocks.length >= most || blocks.at(-1)?.endsWith('[DONE]')) break;
  }
  const blocks = text
    .slice(0, text.lastIndexOf('\n\n') + 2)
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .slice(0, most);
  return [
    blocks.map((block) => ({ id: /^id: (\S+)/.exec(block)![1]!, data: block.slice(block.indexOf('data: ') + 6) })),
  ];
}

test('a call that failed ends with its error event after what it has produced (spec 26.7)', async () => {
  const team = await given.team({ models: ['sim-error-in-stream-3'] });
  const job = await given.job(team);
  const made = await as(gateway, team).stream(job);
  const call = made.headers.get('x-call-id')!;

  const events = eventsOf(await watch(team, job, call));

  const [error] = chunksOf(events).slice(-1);
  expect(error.error).toMatchObject({ code: 'call_failed' });
  expect(textOf(events.slice(0, -2))).not.toBe('');
  expect(events.at(-1)!.data).toBe('[DONE]');
});

test('a reader goes on behind a chunk of a call whose worker was lost, which has recorded none of its answer, to its error event (spec 26.7, spec 26.8)', async () => {
  const team = await given.team({ models: ['sim-tokens-80-every-25'] });
  const { job, call, end } = await givenRunning(team, true);
  const headers = { authorization: `Bearer ${team.key}` };
  const [received] = await firstEvents(await fetch(`${gateway.current.url}${pathOf(job, call)}`, { headers }), 3);
  await closeCall(gateway.current.deps.database, call, 'failed', 'the worker was lost');

  const rest = eventsOf(await watch(team, job, call, received.at(-1)!.id));

  expect(textOf(received)).not.toBe('');
  expect(rest.map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data).error.code))).toEqual([
    'call_failed',
    '[DONE]',
  ]);
  expect(eventsOf(await watch(team, job, call, rest[0]!.id))).toEqual([rest[1]]);
  expect((await watch(team, job, call, rest[1]!.id)).status).toBe(204);
  await end;
});

test('an answer that is no longer stored is 410, also one that is kept by its length (spec 26.7)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const [first, second] = [
    expectOk(await as(gateway, team).call(job)).call_id,
    expectOk(await as(gateway, team).call(job)).call_id,
  ];
  const { pool } = gateway.current.deps.database;
  await pool.query('delete from call_payloads where call_id = $1', [first]);
  await pool.query(`update call_payloads set response = '{"not_kept":{"bytes":1,"sha256":"x"}}' where call_id = $1`, [
    second,
  ]);

  for (const call of [first, second]) {
    const { status, body } = await watch(team, job, call);
    expect([status, body]).toEqual([410, { detail: 'Call payload is no longer stored', code: 'payload_deleted' }]);
  }
});

test('an id that is malformed, of another call or beyond the answer is 422 (spec 26.8)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const [call, other] = [
    expectOk(await as(gateway, team).call(job)).call_id,
    expectOk(await as(gateway, team).call(job)).call_id,
  ];
  const [{ id }] = eventsOf(await watch(team, job, other)) as [Event];
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const ofCall = call.slice(0, 8);

  for (const wrong of [
    'x',
    '',
    id,
    encode([ofCall]),
    encode([ofCall, 0, 1, 1_000_000, 0]),
    encode([ofCall, 0, 1, -1, 0]),
    encode([ofCall, 9, 1, 0, 0]),
    encode([ofCall, 0, 1, 0, 0, 5]),
  ]) {
    const { status, body } = await watch(team, job, call, wrong);
    expect([wrong, status]).toEqual([wrong, 422]);
    expect(body.detail[0].loc).toEqual(['header', 'last-event-id']);
  }
});

test("another team's call is 403, an unknown one 404, and an admin's reading is audited (spec 26.7)", async () => {
  const [team, other] = [await given.team(), await given.team()];
  const job = await given.job(team);
  const call = expectOk(await as(gateway, team).call(job)).call_id;

  expect((await watch(other, job, call)).status).toBe(403);
  expect((await watch(team, job, randomUUID())).status).toBe(404);
  expect((await admin.get(pathOf(job, call))).status).toBe(200);
  const { rows } = await gateway.current.deps.database.pool.query(
    'select action, details from audit_log where resource_id = $1',
    [job],
  );
  expect(rows).toEqual([{ action: 'read_call_payload', details: { call_id: call, include: ['response'] } }]);
});

test('a read with wait is answered when the call has ended, and after that time as it is (spec 26.5)', async () => {
  const team = await given.team({ models: ['sim-slow-1200'] });
  const { job, call, end } = await givenRunning(team, false);
  const read = async (wait: number) =>
    expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?wait=${wait}`));

  expect((await read(0)).status).toBe('running');
  expect((await read(60)).status).toBe('succeeded');
  expectOk(await end);
  expect((await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?wait=61`)).status).toBe(422);
});

test('a failed call is 200 to a read that waited for it (spec 26.5)', async () => {
  const team = await given.team({ models: ['sim-slow-500-fail'] });
  const { job, call, end } = await givenRunning(team, false);

  const read = await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?wait=30`);

  expect(expectOk(read)).toMatchObject({ status: 'failed', error: expect.any(String) });
  expect((await end).status).toBe(500);
});

test('200 reads wait at once for calls of a team, the next one is 429, and lists go on (spec 26.9)', async () => {
  const team = await given.team({ models: ['sim-slow-8000'] });
  const { job, call, end } = await givenRunning(team, false);
  const path = `/api/jobs/${job}/calls/${call}?wait=60`;
  const reads = Array.from({ length: 201 }, () => as(gateway, team).get(path));
  const first = await Promise.race(reads);

  expect([first.status, first.body.code]).toEqual([429, 'rate_limited']);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(200);
  expectOk(await end);
});

test('the answers of a call over /v1 are read in the same way (spec 26.7)', async () => {
  const team = await given.team({ models: ['sim-refusal'] });
  const body = { model: team.modelGroup, messages: hello };
  const made = await as(gateway, team).post('/v1/chat/completions', body);
  expectOk(made);
  const [job, call] = [made.headers.get('x-job-id')!, made.headers.get('x-call-id')!];

  const events = eventsOf(await watch(team, job, call));

  expect(textOf(events)).toBe(made.body.choices[0].message.refusal);
});
