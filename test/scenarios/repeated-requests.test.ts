import { streamKey, workflowId } from '../../src/domain/ids.ts';
import { deleteStoredAnswers } from '../support/delete-stored-answers.ts';
import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, type GivenTeam, givenIn, unique } from '../support/given.ts';
import type { Answer } from '../support/send-request.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const keyed = (team: GivenTeam, key: string) => {
  const own = as(gateway, team);
  const headers = { 'idempotency-key': key };
  return {
    single: () => own.single({}, headers),
    singleStream: () => own.singleStream({}, headers),
    call: (job: string) => own.call(job, {}, headers),
    complete: (job: string) => own.post(`/api/jobs/${job}/complete`, { status: 'completed' }, headers),
  };
};

/** Calls that reached the upstream with this team's key. */
const upstreamCalls = ({ key }: GivenTeam) =>
  gateway.current.simulator.requestsFor({ key }).filter(({ path }) => path.endsWith('/chat/completions')).length;

const newTeam = (models = ['sim-tokens-3-every-40']) => given.team({ credits: 5, models });

test('ten equal create-and-call requests with one Idempotency-Key at once create one job, one call and one charge, and have the same answer (spec 10.8)', async () => {
  const team = await newTeam();
  const request = keyed(team, unique('key'));

  const answers = await Promise.all(Array.from({ length: 10 }, () => request.single()));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
  expect(new Set(answers.map(({ headers }) => headers.get('x-call-id'))).size).toBe(1);
  expect(upstreamCalls(team)).toBe(1);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(4);
});

test('a repeated create-and-call whose first answer was not stored has the first job, call and charge (spec 10.8)', async () => {
  const team = await newTeam();
  const request = keyed(team, unique('key'));

  const first = await request.single();
  await deleteStoredAnswers(gateway.current);
  const again = await request.single();

  expect(again).toMatchObject({ status: 200, body: { job_id: first.body.job_id, response: first.body.response } });
  expect(again.headers.get('x-call-id')).toBe(first.headers.get('x-call-id'));
  expect(again.headers.has('idempotent-replayed')).toBe(false);
  expect(upstreamCalls(team)).toBe(1);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(4);
  expect((await as(gateway, team).get('/api/jobs')).body.total).toBe(1);
});

test('a repeated call in a job and a repeated completion whose first answers were not stored have the first answers, without a second call or charge (spec 10.8)', async () => {
  const team = await newTeam();
  const job = await given.job(team);
  const request = keyed(team, unique('key'));

  const called = await request.call(job);
  await deleteStoredAnswers(gateway.current);
  const calledAgain = await request.call(job);
  const completed = await request.complete(job);
  await deleteStoredAnswers(gateway.current);
  const completedAgain = await request.complete(job);

  expect(calledAgain).toMatchObject({ status: 200, body: called.body });
  expect(completedAgain).toMatchObject({ status: 200, body: completed.body });
  expect(completed.body.costs).toMatchObject({ total_calls: 1, credits_remaining: 4 });
  expect(upstreamCalls(team)).toBe(1);
});

test('a repeated create-and-call whose call has failed has the same 500 and makes no second call', async () => {
  const team = await newTeam(['sim-fail-400']);
  const request = keyed(team, unique('key'));

  const first = await request.single();
  const again = await request.single();

  expect(first.status).toBe(500);
  expect(again).toMatchObject({ status: 500, text: first.text });
  expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  expect(upstreamCalls(team)).toBe(1);
});

/** The content of a stream, independent of its division into chunks. */
function contentOf(text: string) {
  const events = readEvents(text);
  const messages = events.slice(0, -1).map((event) => JSON.parse(event));
  const chunks = messages.filter(({ choices }) => choices);
  return {
    names: [...new Set(chunks.map(({ id, model, created }) => `${id} ${model} ${created}`))],
    roles: chunks.filter(({ choices }) => choices[0].delta.role).length,
    content: chunks.map(({ choices }) => choices[0].delta.content ?? '').join(''),
    finish: chunks.at(-1)?.choices[0].finish_reason,
    usage: chunks.at(-1)?.usage,
    error: messages.at(-1).error,
    end: events.at(-1),
  };
}

/** Deletes the frames, which expire five minutes after the end. */
async function deleteFrames(streamed: Answer): Promise<void> {
  const { callEvents: frames, redis } = gateway.current.deps;
  const callId = streamed.headers.get('x-call-id')!;
  await redis.commands.del(streamKey.call(callId));
  expect(await frames.storedFrames(callId)).toEqual([]);
}

test('a repeated stream has the same content, ids and model from Redis, and from the record when the frames have expired (spec 10.7)', async () => {
  const team = await newTeam();
  const request = keyed(team, unique('key'));

  const first = await request.singleStream();
  const again = await request.singleStream();
  await deleteFrames(first);
  const fromTheRecord = await request.singleStream();

  for (const replay of [again, fromTheRecord]) {
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.headers.get('content-type')).toBe('text/event-stream');
    expect(replay.headers.get('x-call-id')).toBe(first.headers.get('x-call-id'));
    expect(contentOf(replay.text)).toEqual(contentOf(first.text));
  }
  expect(contentOf(first.text)).toMatchObject({ roles: 1, finish: 'stop', end: '[DONE]' });
  expect(upstreamCalls(team)).toBe(1);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(4);
});

test('a repeated stream with half a surrogate pair, whose end Redis has lost, has its end from the record', async () => {
  const team = await newTeam(['sim-lone-surrogate']);
  const request = keyed(team, unique('key'));

  const first = await request.singleStream();
  const { commands } = gateway.current.deps.redis;
  const key = streamKey.call(first.headers.get('x-call-id')!);
  const [end] = await commands.xrevrange(key, '+', '-', 'COUNT', 1);
  await commands.xdel(key, end![0]);
  const again = await request.singleStream();

  expect(contentOf(first.text)).toMatchObject({ content: expect.stringMatching(/^before.after/), end: '[DONE]' });
  expect(contentOf(again.text)).toEqual(contentOf(first.text));
});

test('a repeated stream that failed after tokens has the same text and error from its record', async () => {
  const team = await newTeam(['sim-stream-cut-3-every-20']);
  const request = keyed(team, unique('key'));

  const first = await request.singleStream();
  await deleteFrames(first);
  const again = await request.singleStream();

  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(contentOf(again.text)).toEqual(contentOf(first.text));
  expect(contentOf(first.text)).toMatchObject({ content: expect.stringMatching(/./), error: { code: 'call_failed' } });
});

test('a repeated stream whose first request is still running has the whole stream, and ends with the job', async () => {
  const team = await newTeam(['sim-tokens-20-every-40']);
  const request = keyed(team, unique('key'));

  const first = request.singleStream();
  await until(
    () => upstreamCalls(team),
    (count) => count === 1,
  );
  const second = request.singleStream();
  const [one, other] = await Promise.all([first, second]);
  const status = (await as(gateway, team).get(`/api/jobs/${other.headers.get('x-job-id')}`)).body.status;

  expect(other.headers.get('idempotent-replayed')).toBe('true');
  expect(contentOf(other.text)).toEqual(contentOf(one.text));
  expect(status).toBe('completed');
  expect(upstreamCalls(team)).toBe(1);
});

test('a repeated stream whose first answer was not stored has the first job, text and charge', async () => {
  const team = await newTeam();
  const request = keyed(team, unique('key'));

  const first = await request.singleStream();
  await deleteStoredAnswers(gateway.current);
  const again = await request.singleStream();

  expect(contentOf(again.text).content).toBe(contentOf(first.text).content);
  expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  expect(upstreamCalls(team)).toBe(1);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(4);
});

test('a repeated stream that failed and whose first answer was not stored has the same text, error and end', async () => {
  const team = await newTeam(['sim-stream-cut-3-every-20']);
  const request = keyed(team, unique('key'));

  const first = await request.singleStream();
  // Its job has ended in Temporal too.
  const { workflow } = gateway.current.deps.temporal.client;
  await workflow.getHandle(workflowId.job(first.headers.get('x-job-id')!)).result();
  await deleteStoredAnswers(gateway.current);
  const again = await request.singleStream();

  expect(again.status).toBe(200);
  expect(contentOf(again.text)).toMatchObject({ ...contentOf(first.text), names: [expect.any(String)] });
  expect(contentOf(again.text)).toMatchObject({ error: { code: 'call_failed' }, end: '[DONE]' });
  expect(upstreamCalls(team)).toBe(1);
});

test('two teams that send the same Idempotency-Key have separate answers (spec 10.3)', async () => {
  const [team, other] = [await newTeam(), await newTeam()];
  const key = unique('key');
  const create = (sender: GivenTeam) =>
    as(gateway, sender).post(
      '/api/jobs/create',
      { team_id: sender.teamId, job_type: 'report' },
      { 'idempotency-key': key },
    );

  const [mine, theirs] = [await create(team), await create(other)];

  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.body.job_id).not.toBe(mine.body.job_id);
});
