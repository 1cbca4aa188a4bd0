import { randomUUID } from 'node:crypto';
import { findOpenJobs } from '../../../src/db/jobs/find-jobs-to-end.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { untilClosing } from '../../support/until-closing.ts';
import { untilRequested } from '../../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const cancel = (team: GivenTeam, body: unknown, headers?: Record<string, string>) =>
  as(gateway, team).post('/api/jobs/cancel', body, headers);
const statusOf = async (team: GivenTeam, job: string) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status;
const jobsOf = (team: GivenTeam, count: number, fields: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, () => given.job(team, fields)));

test("money 8: jobs are cancelled by their ids: one that has ended is counted, and unknown ones, another team's and repeated ones are not (spec 3.21, spec 3.22)", async () => {
  const [team, other] = await Promise.all([given.team(), given.team()]);
  const [first, second, ended] = await jobsOf(team, 3);
  const foreign = await given.job(other);
  await as(gateway, team).complete(ended!);

  const job_ids = [first, second!.toUpperCase(), second, ended, foreign, randomUUID()];
  const answer = await cancel(team, { job_ids, filter: null, reason: 'too late' });

  expect(expectOk(answer)).toEqual({ matched: 3, cancelled: 2, already_ended: 1, more: false });
  expect(await statusOf(team, first!)).toBe('cancelled');
  expect(await statusOf(team, second!)).toBe('cancelled');
  expect(await statusOf(team, ended!)).toBe('completed');
  expect(await statusOf(other, foreign)).toBe('pending');
  expect(expectOk(await cancel(team, { job_ids }))).toMatchObject({ matched: 3, cancelled: 0, already_ended: 3 });
});

test('ids of which none is known match nothing (spec 3.21)', async () => {
  const answer = await cancel(await given.team(), { job_ids: [randomUUID()] });

  expect(expectOk(answer)).toEqual({ matched: 0, cancelled: 0, already_ended: 0, more: false });
});

test.each<[string, (team: GivenTeam) => Record<string, unknown>, number]>([
  ['a job_type', () => ({ job_type: 'kept apart' }), 1],
  ['a user', () => ({ user_id: 'u-1' }), 1],
  ['a task', () => ({ external_task_id: 'task-1' }), 1],
  ['a status', () => ({ status: 'in_progress' }), 1],
  ['several statuses', () => ({ status: ['pending', 'completed'] }), 4],
  ['a status of ended jobs', () => ({ status: 'completed' }), 0],
  ['two filters', () => ({ user_id: 'u-1', job_type: 'kept apart' }), 0],
  ['a date before all of them', () => ({ end_date: '2020-01-01' }), 0],
  ['dates around all of them', () => ({ start_date: '2020-01-01T00:00Z', end_date: '2100-01-01' }), 5],
  ['the beginning of a reference', () => ({ q: 'task-' }), 1],
  ['metadata', () => ({ metadata: { cost_center: 'none' } }), 0],
  ['failed calls and a cost', () => ({ has_failed_calls: false, min_cost_usd: 0, max_cost_usd: 1_000 }), 5],
  ['its own team', ({ teamId }) => ({ team_id: teamId, user_id: null }), 5],
  ['its own organization', ({ organizationId }) => ({ organization_id: organizationId }), 5],
])("open jobs of the caller's team are cancelled by %s (spec 3.21)", async (_, filterFor, matched) => {
  const team = await given.team();
  const [own, neighbour] = [team, await given.team({ organizationId: team.organizationId })];
  const [, called, ended] = await Promise.all([
    given.job(own, { job_type: 'kept apart' }),
    given.job(own),
    given.job(own),
    given.job(own, { user_id: 'u-1' }),
    given.job(own, { external_task_id: 'task-1' }),
    given.job(own),
  ]);
  expectOk(await as(gateway, own).call(called));
  await as(gateway, own).complete(ended);
  const spared = await given.job(neighbour, { external_task_id: 'task-1', user_id: 'u-1' });

  const answer = expectOk(await cancel(own, { filter: filterFor(own) }));

  expect(answer).toEqual({ matched, cancelled: matched, already_ended: 0, more: false });
  expect(expectOk(await as(gateway, own).get('/api/jobs?status=cancelled')).total).toBe(matched);
  expect(await statusOf(neighbour, spared)).toBe('pending');
});

test.each<[string, unknown, unknown[]]>([
  ['neither ids nor a filter', {}, [{ loc: ['body', 'job_ids'], type: 'missing' }]],
  ['both null', { job_ids: null, filter: null }, [{ loc: ['body', 'job_ids'], type: 'missing' }]],
  [
    'both',
    { job_ids: [randomUUID()], filter: { job_type: 'a' } },
    [{ loc: ['body', 'filter'], type: 'value_error', msg: 'Give either job_ids or filter' }],
  ],
  ['no id in the list', { job_ids: [] }, [{ loc: ['body', 'job_ids'], type: 'too_short' }]],
  [
    '1,001 ids, all the same',
    { job_ids: Array(1_001).fill(randomUUID()) },
    [{ loc: ['body', 'job_ids'], type: 'too_long' }],
  ],
  [
    'ids that are none',
    { job_ids: ['none', 7] },
    [
      { loc: ['body', 'job_ids', 0], type: 'uuid_parsing' },
      { loc: ['body', 'job_ids', 1], type: 'string_type' },
    ],
  ],
  ['an empty filter', { filter: {} }, [{ loc: ['body', 'filter'], type: 'too_short' }]],
  ['a filter of nulls', { filter: { job_type: null } }, [{ loc: ['body', 'filter'], type: 'too_short' }]],
  ['a filter that is a list', { filter: [] }, [{ loc: ['body', 'filter'], type: 'model_attributes_type' }]],
  [
    'unknown filters',
    { filter: { job_type: 'a', colour: 'b', sort_by: null } },
    [
      { loc: ['body', 'filter', 'colour'], type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
      { loc: ['body', 'filter', 'sort_by'], type: 'extra_forbidden' },
    ],
  ],
  ['an unknown status', { filter: { status: 'open' } }, [{ loc: ['body', 'filter', 'status'], type: 'literal_error' }]],
  [
    'dates backwards',
    { filter: { start_date: '2026-02-01', end_date: '2026-01-01' } },
    [{ loc: ['body', 'filter', 'start_date'], type: 'value_error' }],
  ],
  ['no date', { filter: { end_date: 'now' } }, [{ loc: ['body', 'filter', 'end_date'], type: 'datetime_parsing' }]],
  [
    'a reason of 1,001 characters',
    { job_ids: [randomUUID()], reason: 'x'.repeat(1_001) },
    [{ loc: ['body', 'reason'], type: 'string_too_long' }],
  ],
])('cancelling many jobs with %s is 422 and cancels nothing (spec 3.21)', async (_, body, items) => {
  const team = await given.team();
  const job = await given.job(team);

  const answer = await cancel(team, body);

  expect({ status: answer.status, detail: answer.body.detail }).toMatchObject({ status: 422, detail: items });
  expect(await statusOf(team, job)).toBe('pending');
});

test('cancelling many jobs without a body, without a key, or by the ids of other teams is refused (spec 3.21)', async () => {
  const [team, other] = await Promise.all([given.team(), given.team()]);

  expect((await cancel(team, undefined)).status).toBe(422);
  expect((await sendRequest(gateway.current.url, 'post', '/api/jobs/cancel', { body: {} })).status).toBe(401);
  expect((await as(gateway, team).get('/api/jobs/cancel')).status).toBe(405);
  expect(await cancel(team, { filter: { team_id: other.teamId } })).toMatchObject({
    status: 403,
    body: { code: 'key_of_another_team' },
  });
  expect(await cancel(team, { filter: { organization_id: other.organizationId } })).toMatchObject({
    status: 403,
    body: { code: 'key_of_another_organization' },
  });
});

test('a suspended team cannot cancel many jobs, and an admin can (spec 3.21)', async () => {
  const team = await given.team();
  await jobsOf(team, 2);
  await given.admin('post', `/api/teams/${team.teamId}/suspend`);

  expect((await cancel(team, { filter: { status: 'pending' } })).status).toBe(403);
  expect(expectOk(await admin.post('/api/jobs/cancel', { filter: { team_id: team.teamId } })).cancelled).toBe(2);
});

test("an admin cancels jobs of several teams, each with an audit entry, and a team's own have none (spec 3.21)", async () => {
  const [one, another] = await Promise.all([given.team(), given.team()]);
  const [audited, also, own] = [await given.job(one), await given.job(another), await given.job(one)];
  const job_ids = [audited, also];

  const answers = await Promise.all([1, 2, 3].map(() => admin.post('/api/jobs/cancel', { job_ids })));
  await cancel(one, { job_ids: [own] });

  expect(answers.map(({ status, body }) => [status, body.matched])).toEqual(Array(3).fill([200, 2]));
  for (const job of job_ids) expect(await readAudit(gateway.current, job)).toMatchObject([{ action: 'cancelled_job' }]);
  expect(await readAudit(gateway.current, own)).toEqual([]);
});

test('jobs with calls in flight, closing jobs and single-call jobs end with their calls aborted and without a charge (spec 3.22)', async () => {
  const model = `sim-slow-60000-as-${unique('many')}`;
  const team = await given.team({ credits: 5, models: [model] });
  const [calling, closing] = await jobsOf(team, 2);
  const calls = [as(gateway, team).call(calling!), as(gateway, team).call(closing!), as(gateway, team).single()];
  await untilRequested(gateway, model, 3);
  const completion = as(gateway, team).complete(closing!);
  await untilClosing(gateway, team, closing!);

  const answer = expectOk(await cancel(team, { filter: { team_id: team.teamId } }));
  const statuses = expectOk(await as(gateway, team).get('/api/jobs')).jobs.map((job: { status: string }) => job.status);

  expect(answer).toEqual({ matched: 3, cancelled: 3, already_ended: 0, more: false });
  expect(statuses).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await completion).toMatchObject({ status: 409, body: { detail: 'Job is already cancelled' } });
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([500, 500, 500]);
  await until(() => gateway.current.simulator.requestsFor({ model }).every(({ aborted }) => aborted));
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('jobs that are completed at the same time end once each, and are charged exactly where they were completed (spec 3.22)', async () => {
  const count = 40;
  const team = await given.team({ credits: 1_000 });
  const job_ids = await jobsOf(team, count);

  const [answer, ...completions] = await Promise.all([
    cancel(team, { job_ids }),
    ...job_ids.map((job) => as(gateway, team).complete(job)),
  ]);
  const completed = completions.filter(({ status }) => status === 200).length;

  expect(expectOk(answer)).toEqual({
    matched: count,
    cancelled: count - completed,
    already_ended: completed,
    more: false,
  });
  expect(completions.filter(({ status }) => status === 409)).toHaveLength(count - completed);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 1_000 - completed });
});

test('a repetition with an Idempotency-Key has the stored answer and cancels no job that is newer (spec 10.7)', async () => {
  const team = await given.team();
  await given.job(team);
  const headers = { 'idempotency-key': unique('key') };
  const body = { filter: { status: 'pending' } };

  const first = await cancel(team, body, headers);
  const newer = await given.job(team);
  const again = await cancel(team, body, headers);

  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await statusOf(team, newer)).toBe('pending');
  expect((await cancel(team, { filter: { status: 'in_progress' } }, headers)).status).toBe(422);
});

test('a client that leaves does not end the cancellation of many jobs (spec 3.15)', async () => {
  const team = await given.team();
  const job_ids = await jobsOf(team, 30);
  const leaving = new AbortController();

  const left = fetch(`${gateway.current.url}/api/jobs/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ job_ids }),
    signal: leaving.signal,
  });
  await until(async () => expectOk(await as(gateway, team).get('/api/jobs?status=cancelled')).total > 0);
  leaving.abort();

  await expect(left).rejects.toThrow();
  await until(async () => expectOk(await as(gateway, team).get('/api/jobs?status=cancelled')).total === 30);
});

test('of more jobs than a request may cancel the oldest are found (spec 3.22)', async () => {
  const team = await given.team();
  const job_ids: string[] = [];
  for (let n = 0; n < 4; n += 1) job_ids.push(await given.job(team));

  const found = await findOpenJobs(gateway.current.deps.database, { team_id: team.teamId }, 3);

  expect(found.map(({ job_id }) => job_id)).toEqual(job_ids.slice(0, 3));
});

test('1,000 jobs that have ended are matched by their ids, and one more is 422 (spec 3.22)', async () => {
  const team = await given.team();
  const { rows } = await gateway.current.deps.database.pool.query<{ job_id: string }>(
    `insert into jobs (job_id, team_id, organization_id, job_type, status, completed_at)
     select gen_random_uuid(), $1, $2, 'old', 'failed', now() from generate_series(1, 1000) returning job_id`,
    [team.teamId, team.organizationId],
  );
  const job_ids = rows.map(({ job_id }) => job_id);

  expect(expectOk(await cancel(team, { job_ids }))).toEqual({
    matched: 1_000,
    cancelled: 0,
    already_ended: 1_000,
    more: false,
  });
  expect((await cancel(team, { job_ids: [...job_ids, job_ids[0]!] })).status).toBe(422);
});

test('other teams are answered while many jobs of one team are cancelled, and so is the team itself (spec 9.6)', async () => {
  const [team, other] = await Promise.all([given.team(), given.team()]);
  const job_ids = await jobsOf(team, 100);
  const [own, foreign] = [await given.job(team), await given.job(other)];
  let hasEnded = false;

  const cancelling = cancel(team, { job_ids }).finally(() => {
    hasEnded = true;
  });
  const answers = await Promise.all([as(gateway, team).complete(own), as(gateway, other).complete(foreign)]);
  const hadEnded = hasEnded;

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(hadEnded).toBe(false);
  expect(expectOk(await cancelling).cancelled).toBe(100);
  expectOk(await as(gateway, other).post('/v1/chat/completions', { model: other.modelGroup, messages: hello }));
});
