import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
let job: string;
beforeAll(async () => {
  team = await given.team();
  job = await given.job(team, { metadata: { kept: true } });
});

const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });

test.each<[string, Record<string, unknown>, (string | number)[], string]>([
  ['job_type missing', { job_type: undefined }, ['job_type'], 'missing'],
  ['job_type empty', { job_type: '' }, ['job_type'], 'string_too_short'],
  ['job_type of 10 KB', { job_type: 'x'.repeat(10_240) }, ['job_type'], 'string_too_long'],
  ['job_type a number', { job_type: 7 }, ['job_type'], 'string_type'],
  ['user_id too long', { user_id: 'x'.repeat(256) }, ['user_id'], 'string_too_long'],
  ['metadata a string', { metadata: 'text' }, ['metadata'], 'dict_type'],
  ['metadata an array', { metadata: [] }, ['metadata'], 'dict_type'],
  ['metadata over 10 KB', { metadata: { a: 'x'.repeat(10_240) } }, ['metadata'], 'value_error'],
  ['NUL in metadata', { metadata: { a: '\u0000' } }, ['metadata', 'a'], 'value_error'],
  ['a lone surrogate', { metadata: { a: '\ud800' } }, ['metadata', 'a'], 'value_error'],
  [
    'a control character in external_task_id',
    { external_task_id: 'a\nb' },
    ['external_task_id'],
    'string_pattern_mismatch',
  ],
  ['external_task_id empty', { external_task_id: '' }, ['external_task_id'], 'string_too_short'],
])('the creation of a job with %s is refused (spec 3.1)', async (_, fields, loc, type) => {
  const answer = await as(gateway, team).post('/api/jobs/create', {
    team_id: team.teamId,
    job_type: 'report',
    ...fields,
  });

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ['body', ...loc], type, msg: expect.any(String) });
});

test('the metadata of a new job are refused with 33 levels, and stored with 31', async () => {
  const create = (metadata: unknown) =>
    as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', metadata });

  expect((await create(deep(33))).status).toBe(422);
  expect((await create(deep(31))).status).toBe(200);
});

test('in the creation of a job null is the same as omitted, and unknown fields are ignored (spec 1.5, spec 1.12)', async () => {
  const created = await as(gateway, team).post('/api/jobs/create', {
    team_id: team.teamId,
    job_type: 'report',
    user_id: null,
    metadata: null,
    status: 'completed',
    credit_applied: true,
  });

  const stored = expectOk(await as(gateway, team).get(`/api/jobs/${expectOk(created).job_id}`));
  expect(stored).toMatchObject({ user_id: null, metadata: {}, status: 'pending', credit_applied: false });
});

test('the creation of a job of another team is refused before any query (spec 1.2, spec 2.10)', async () => {
  const answer = await as(gateway, team).post('/api/jobs/create', { team_id: 'someone-else', job_type: 'report' });

  expect([answer.status, answer.body]).toEqual([
    403,
    { detail: "API key does not belong to team 'someone-else'", code: 'key_of_another_team' },
  ]);
});

test.each(['create-and-call', 'create-and-call-stream'])(
  '%s for another team is refused, also if both may use the model group (spec 2.10)',
  async (path) => {
    const other = await given.team({ model_groups: [team.modelGroup] });

    const answer = await as(gateway, team).post(`/api/jobs/${path}`, {
      team_id: other.teamId,
      job_type: 'report',
      model: team.modelGroup,
      messages: hello,
    });

    const detail = `API key does not belong to team '${other.teamId}'`;
    expect([answer.status, answer.body]).toEqual([403, { detail, code: 'key_of_another_team' }]);
  },
);

test.each(['done', 'COMPLETED', 'cancelled', 'pending', '', null, 1, ['completed']])(
  'a completion with the status %p is refused (spec 3.5)',
  async (status) => {
    const answer = await as(gateway, team).complete(job, status);

    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'status'], type: 'literal_error' });
  },
);

test('the texts of a completion and a cancellation may have a thousand characters, also outside of the basic plane', async () => {
  const text = '🙂'.repeat(1_000);
  const cancelled = await given.job(team);
  expectOk(await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`, { reason: text }));
  const failed = await given.job(team);
  expectOk(await as(gateway, team).complete(failed, 'failed', { error_message: text }));

  const longer = await as(gateway, team).complete(job, 'failed', { error_message: `${text}x` });

  expect(longer.body.detail[0]).toMatchObject({ loc: ['body', 'error_message'], type: 'string_too_long' });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${failed}`)).error_message).toBe(text);
});

test('the error_message of a completion is limited, and stored for a failed job only (spec 3.7)', async () => {
  const long = await as(gateway, team).complete(job, 'failed', { error_message: 'x'.repeat(1_001) });
  const completed = await given.job(team);
  expectOk(await as(gateway, team).complete(completed, 'completed', { error_message: 'ignored' }));
  const failed = await given.job(team);
  expectOk(await as(gateway, team).complete(failed, 'failed', { error_message: 'kept' }));

  expect(long.body.detail[0]).toMatchObject({ loc: ['body', 'error_message'], type: 'string_too_long' });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${completed}`)).error_message).toBeNull();
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${failed}`)).error_message).toBe('kept');
});

test('a metadata update that exceeds 10 KB after the merge changes nothing (spec 3.4)', async () => {
  const large = await given.job(team, { metadata: { a: 'x'.repeat(6_000) } });

  const patched = await as(gateway, team).patch(`/api/jobs/${large}/metadata`, { metadata: { b: 'x'.repeat(6_000) } });
  const completed = await as(gateway, team).complete(large, 'completed', { metadata: { b: 'x'.repeat(6_000) } });

  expect([patched.status, completed.status]).toEqual([422, 422]);
  const stored = expectOk(await as(gateway, team).get(`/api/jobs/${large}`));
  expect(stored).toMatchObject({ status: 'pending', metadata: { a: 'x'.repeat(6_000) } });
});

test.each(['not-a-uuid', '%00', '..%2f', 'g'.repeat(36)])('the job id %p is refused (spec 3.2)', async (id) => {
  const answer = await as(gateway, team).get(`/api/jobs/${id}`);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ['path', 'job_id'], type: 'uuid_parsing' });
});

test('a job id in upper case is the same job (spec 1.9)', async () => {
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job.toUpperCase()}`)).job_id).toBe(job);
});

test('a job of another team is a 403 at every route, and an unknown job a 404 (spec 2.10, spec 3.2)', async () => {
  const stranger = as(gateway, await given.team());
  const unknown = '00000000-0000-4000-8000-000000000000';
  const visit = (id: string) =>
    Promise.all([
      stranger.get(`/api/jobs/${id}`),
      stranger.get(`/api/jobs/${id}/costs`),
      stranger.complete(id),
      stranger.post(`/api/jobs/${id}/cancel`),
      stranger.patch(`/api/jobs/${id}/metadata`, { metadata: {} }),
      stranger.call(id),
      stranger.stream(id),
    ]);

  for (const answer of await visit(job)) {
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: 'Job does not belong to your team', code: 'job_of_another_team' },
    ]);
  }
  expect(await gateway.current.deps.database.pool.query('select from calls where job_id = $1', [job])).toMatchObject({
    rowCount: 0,
  });
  for (const answer of await visit(unknown)) {
    expect([answer.status, answer.body]).toEqual([
      404,
      { detail: `Job '${unknown}' not found`, code: 'job_not_found' },
    ]);
  }
});

test('metadata with a number beyond the range of a double are refused', async () => {
  const answer = await sendRequest(gateway.current.url, 'post', '/api/jobs/create', {
    key: team.key,
    raw: `{"team_id":"${team.teamId}","job_type":"report","metadata":{"a":[1e400]}}`,
    headers: { 'content-type': 'application/json' },
  });

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ loc: ['body', 'metadata'], type: 'finite_number' }]);
});
