import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, singleCallBody, unique } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';
import { readEvents } from '../changes/event-reader.ts';
import { browserIn } from '../sessions/browser.ts';
import { keysIn } from './keys-of-teams.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const keys = keysIn(gateway);
const browser = browserIn(gateway);

const chat = (team: GivenTeam, fields: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
    key: team.key,
    body: { model: team.modelGroup, messages: hello, ...fields },
    headers,
  });
const idsOf = async (team: GivenTeam, query: string): Promise<string[]> =>
  expectOk(await as(gateway, team).get(`/api/jobs?${query}`)).jobs.map(({ job_id }: Json) => job_id);

test('jobs in every way that a further key creates them have its key_id, and lists and figures filter by it (spec 25.3, money 9.2)', async () => {
  const team = await given.team({ credits: 50 });
  const { keyId, team: further } = await keys.given(team);
  const { keyId: unused } = await keys.given(team);
  const own = as(gateway, further);

  const created = await given.job(further);
  const single = expectOk(await own.single()).job_id;
  const streamed = (await own.singleStream()).headers.get('x-job-id')!;
  const completion = (await chat(further)).headers.get('x-job-id')!;
  const task = (await chat(further, {}, { 'x-external-task-id': unique('task') })).headers.get('x-job-id')!;
  const ofFirst = await given.job(team);

  const all = [created, single, streamed, completion, task];
  for (const jobId of all) expect(expectOk(await own.get(`/api/jobs/${jobId}`)).key_id).toBe(keyId);
  expect(expectOk(await own.get(`/api/jobs/${ofFirst}`))).not.toHaveProperty('key_id');
  expect((await idsOf(team, `key_id=${keyId}`)).toSorted()).toEqual(all.toSorted());
  expect((await idsOf(team, `key_id=${keyId.toUpperCase()}&count=none`)).toSorted()).toEqual(all.toSorted());
  expect((await idsOf(team, `key_id=${keyId}&status=pending&status=in_progress`)).toSorted()).toEqual(
    [created, task].toSorted(),
  );
  expect(await idsOf(team, `key_id=${keyId}&sort_by=completed_at&count=none`)).toHaveLength(5);
  expect(await idsOf(team, `key_id=${unused}`)).toEqual([]);
  expect((await own.get('/api/jobs?key_id=first')).status).toBe(422);
  const listed = expectOk(await admin.get(`/api/teams/${team.teamId}/jobs?key_id=${keyId}`));
  expect([listed.total, listed.jobs[0].key_id]).toEqual([5, keyId]);
  const { jobs } = expectOk(await own.get('/api/jobs'));
  expect(jobs.map((job: Json) => [job.job_id === ofFirst, 'key_id' in job])).toContainEqual([true, false]);
  expect(jobs.filter((job: Json) => job.key_id === keyId)).toHaveLength(5);
  expect(expectOk(await own.get(`/api/jobs/histogram?key_id=${keyId}`)).total).toBe(5);
});

test('a team does not find the jobs of another team by a key of that team (spec 25.3)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const { keyId, team: further } = await keys.given(other);
  await given.job(further);

  expect(await idsOf(team, `key_id=${keyId}`)).toEqual([]);
  expect(await idsOf(team, `key_id=${keyId}&count=none`)).toEqual([]);
});

test('any key of a team reads, calls in and ends the jobs of another of its keys (spec 25.3)', async () => {
  const team = await given.team({ credits: 50 });
  const [first, second] = [await keys.given(team), await keys.given(team)];
  const job = await given.job(first.team);

  const called = await as(gateway, second.team).call(job);
  const completed = await as(gateway, team).complete(job);

  expectOk(called);
  expect(expectOk(completed).costs.credit_applied).toBe(true);
  expect(expectOk(await as(gateway, second.team).get(`/api/jobs/${job}`)).key_id).toBe(first.keyId);
});

test('a team is shown the key of its own request, and an admin the first key (spec 25.3)', async () => {
  const team = await given.team();
  const { team: further } = await keys.given(team);
  const shownTo = async (answer: Promise<Answer>) => expectOk(await answer).credits.virtual_key;
  const path = `/api/teams/${team.teamId}`;

  expect(await shownTo(as(gateway, further).get(path))).toBe(further.key);
  expect(await shownTo(as(gateway, team).get(path))).toBe(team.key);
  expect(await shownTo(admin.get(path))).toBe(team.key);
});

test('a rotation of the first key leaves the further keys as they are, and calls go upstream with the new first key (spec 25.3)', async () => {
  const team = await given.team({ credits: 50 });
  const { team: further } = await keys.given(team);

  const { virtual_key } = expectOk(await admin.post(`/api/teams/${team.teamId}/rotate-key`, {}));

  expectOk(await as(gateway, further).single());

  const { simulator } = gateway.current;
  const sentWith = (key: string) => simulator.requestsFor({ key, path: '/chat/completions' }).length;
  expect([sentWith(virtual_key), sentWith(further.key)]).toEqual([1, 0]);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(401);
  expectOk(await as(gateway, { ...team, key: virtual_key }).get('/api/jobs'));
});

test('the keys of a team are one credential for an Idempotency-Key, and a secret is repeated for the key that received it and for the first key (spec 25.3, spec 10.3, spec 10.10)', async () => {
  const team = await given.team({ credits: 50 });
  const [{ team: one }, { team: two }] = [await keys.given(team), await keys.given(team)];
  const headers = () => ({ 'idempotency-key': unique('key') });
  const [ofJob, ofWebhook] = [headers(), headers()];
  const body = { team_id: team.teamId, webhook_url: gateway.current.simulator.url, events: ['job.failed'] };
  const create = (by: GivenTeam) =>
    as(gateway, by).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' }, ofJob);
  const register = (by: GivenTeam) => as(gateway, by).post('/api/webhooks/register', body, ofWebhook);
  const job = expectOk(await create(one));
  const webhook = expectOk(await register(one));

  expect(expectOk(await create(two))).toEqual(job);
  expect(expectOk(await create(team))).toEqual(job);
  expect(expectOk(await register(one))).toEqual(webhook);
  expect(expectOk(await register(team))).toEqual(webhook);
  expect(await register(two)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});

test('a job of a further key that is created again after a crash keeps its key (spec 25.3, spec 10.8)', async () => {
  const team = await given.team({ credits: 50 });
  const [one, two] = [await keys.given(team), await keys.given(team)];
  const headers = { 'idempotency-key': unique('key') };
  const first = expectOk(await as(gateway, one.team).single({}, headers));
  await deleteStoredAnswers(gateway.current);

  const again = expectOk(await as(gateway, two.team).single({}, headers));

  expect(again.job_id).toBe(first.job_id);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${first.job_id}`)).key_id).toBe(one.keyId);
  expect((await keys.list(team)).keys.map(({ credits_used }: Json) => credits_used)).toEqual([1, 0]);
});

type End = (team: GivenTeam, keyId: string) => Promise<unknown>;
const expire: End = async (_, keyId) =>
  gateway.current.deps.database.pool.query(`update team_keys set expires_at = now() where key_id = $1`, [keyId]);
const ends: [string, End][] = [
  ['was deleted', async (team, keyId) => expectOk(await keys.delete(team, keyId))],
  ['has expired', expire],
];

test.each(ends)(
  'a key that %s is a 401 everywhere at once, and its open jobs go on (spec 25.5, money 9.4)',
  async (_, end) => {
    const team = await given.team({ credits: 50 });
    const { keyId, team: further } = await keys.given(team, { expires_at: '2031-01-01' });
    const job = await given.job(further);
    const own = as(gateway, further);
    const session = await browser.signedIn({ virtual_key: further.key });
    expectOk(await own.call(job));
    const headers = { 'idempotency-key': unique('key') };
    expectOk(await own.single({}, headers));

    await end(team, keyId);

    const answers = await Promise.all([
      own.get('/api/jobs'),
      own.call(job),
      own.single(),
      own.single({}, headers),
      own.complete(job),
      chat(further),
      browser.signIn({ virtual_key: further.key }),
      session.get('/api/session'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401));
    expect(answers[5]!.body.error.code).toBe('invalid_api_key');
    expectOk(await as(gateway, team).call(job));
    const completed = expectOk(await as(gateway, team).complete(job));
    expect(completed.costs).toMatchObject({ credit_applied: true, total_calls: 2 });
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).key_id).toBe(keyId);
    expect(await idsOf(team, `key_id=${keyId}`)).toHaveLength(2);
  },
);

test('an expired key is listed still, and valid again with a later end; one that was deleted is not (spec 25.2, spec 25.5)', async () => {
  const team = await given.team();
  const { keyId, team: further } = await keys.given(team);
  await expire(team, keyId);

  expect((await keys.list(team)).total).toBe(1);
  expectOk(await keys.change(team, keyId, { expires_at: '2031-01-01' }));

  expectOk(await as(gateway, further).get('/api/jobs'));
});

test('a call that runs when its key is deleted ends as any other, and is charged (spec 25.5)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-slow-5000'] });
  const { keyId, team: further } = await keys.given(team);
  const events = await readEvents(gateway.current.url, { authorization: `Bearer ${team.key}` });
  await events.event('ready');
  const running = as(gateway, further).single();
  await events.seen('calls', ({ status }) => status === 'running');

  expectOk(await keys.delete(team, keyId));

  expect(expectOk(await running).costs?.credit_applied ?? true).toBe(true);
  await events.leave();
  expect((await as(gateway, team).credits()).credits_remaining).toBe(4);
});

test.each(ends)(
  'the streams of events of a key that %s end, by the key and by its session, and those of the first key go on (spec 25.5, spec 19.15)',
  async (_, end) => {
    const team = await given.team();
    const { keyId, team: further } = await keys.given(team);
    const { cookie } = await browser.signedIn({ virtual_key: further.key });
    const open = (headers: Record<string, string>) => readEvents(gateway.current.url, headers);
    const [byKey, bySession, byFirst] = await Promise.all([
      open({ authorization: `Bearer ${further.key}` }),
      open({ cookie, 'sec-fetch-site': 'same-origin' }),
      open({ authorization: `Bearer ${team.key}` }),
    ]);
    for (const stream of [byKey, bySession, byFirst]) await stream.event('ready');

    await end(team, keyId);
    await Promise.all([byKey.ended, bySession.ended]);

    await given.job(team);
    await byFirst.seen('jobs', ({ team_id }) => team_id === team.teamId);
    await byFirst.leave();
  },
);

test('a session of a further key shows when the key ends, and ends with a suspension of the team (spec 25.3, spec 19.2)', async () => {
  const team = await given.team();
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { team: further } = await keys.given(team, { expires_at: endsAt });
  const session = await browser.signedIn({ virtual_key: further.key });

  expect(session.session.expires_at).toBe(endsAt);
  expect(expectOk(await as(gateway, further).get('/api/session')).expires_at).toBe(endsAt);
  expect(expectOk(await session.get(`/api/teams/${team.teamId}`)).credits.virtual_key).toBe(
    `sk-****…${further.key.slice(-4)}`,
  );
  await admin.post(`/api/teams/${team.teamId}/suspend`);
  expect(await as(gateway, further).get('/api/jobs')).toMatchObject({ status: 403, body: { code: 'team_suspended' } });
  await admin.post(`/api/teams/${team.teamId}/resume`);
  expect((await session.get('/api/session')).status).toBe(401);
  expectOk(await as(gateway, further).get('/api/jobs'));
});

test('a repetition that receives an abandoned call has to come with the key of the call (spec 25.3, spec 18.7)', async () => {
  const team = await given.team({ credits: 50, models: ['sim-slow-5000'] });
  const [{ team: one }, { team: two }] = [await keys.given(team), await keys.given(team)];
  const leaving = new AbortController();
  const body = JSON.stringify({ model: team.modelGroup, messages: hello });
  const send = (by: GivenTeam, signal: AbortSignal | null, retries: string) =>
    fetch(`${gateway.current.url}/v1/chat/completions`, {
      method: 'post',
      headers: {
        authorization: `Bearer ${by.key}`,
        'content-type': 'application/json',
        'x-stainless-retry-count': retries,
      },
      body,
      signal,
    });
  const events = await readEvents(gateway.current.url, { authorization: `Bearer ${team.key}` });
  await events.event('ready');
  const first = send(one, leaving.signal, '0').catch(() => undefined);
  await events.seen('calls', ({ status }) => status === 'running');
  leaving.abort();
  await first;
  await events.leave();

  const ofOther = await send(two, null, '1');
  const ofSame = await send(one, null, '1');

  const jobs = await idsOf(team, 'limit=10');
  expect([ofOther.status, ofSame.status, jobs.length]).toEqual([200, 200, 2]);
  expect(ofSame.headers.get('x-job-id')).not.toBe(ofOther.headers.get('x-job-id'));
});

test('what a key costs stays with its team: all keys share its limits (spec 25.3)', async () => {
  const team = await given.team({ rpm_limit: 2, credits: 50 });
  const { team: further } = await keys.given(team);

  const answers = [await chat(team), await chat(further), await chat(further)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(expectOk(await as(gateway, team).post('/api/jobs/create', singleCallBody(team))).job_id).toBeTruthy();
});
