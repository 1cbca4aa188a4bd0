import { bucketStart, dayMs } from '../../../src/domain/time/buckets.ts';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import { recordJob } from '../../support/given-record.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';

const limits = { RATE_LIMIT_READS_PER_MINUTE: '10000', RATE_LIMIT_REQUESTS_PER_MINUTE: '10000' };
const gateway = gatewayForTests({ worker: false, settings: limits });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const today = bucketStart('day', new Date());
const daysAgo = (days: number) => new Date(today.getTime() - days * dayMs + 3_600_000);
const range = `from=${daysAgo(10).toISOString().slice(0, 10)}`;
const listRange = range.replace('from', 'start_date');

let teamId = '';
let key = '';
const get = async (path: string): Promise<Json> => expectOk(await admin.get(path));
const getAsTeam = async (path: string) => sendRequest(gateway.current.url, 'get', path, { key });

/**
 * Two jobs whose first model was limited, of which another answered one; a call that timed out; one whose worker was lost; one that was
 * cancelled, which is no error; and a failure from before the range.
 */
beforeAll(async () => {
  const team = await given.team();
  teamId = team.teamId;
  key = team.key;
  const { database } = gateway.current.deps;
  const limited = { failure: 'rate_limited', status_code: 429, error_code: 'rate_limit_exceeded' } as const;
  const job = { team: teamId, end: 'completed', credits: 0 } as const;
  await recordJob(database, {
    ...job,
    created_at: daysAgo(1),
    calls: [{ models: ['gpt', 'claude'], causes: [limited] }],
  });
  await recordJob(database, {
    ...job,
    created_at: daysAgo(3),
    calls: [
      { status: 'failed', failure: 'timeout', models: ['gpt', 'claude'], causes: [limited, { failure: 'timeout' }] },
      { status: 'failed', failure: 'timeout', models: ['claude'] },
    ],
  });
  await recordJob(database, {
    ...job,
    created_at: daysAgo(4),
    calls: [
      { status: 'failed', failure: null, error: 'the worker was lost', models: [] },
      { status: 'failed', failure: null, error: 'cancelled', models: [] },
      { model_group: null },
    ],
  });
  await recordJob(database, { ...job, created_at: daysAgo(20), calls: [{ status: 'failed' }] });
});

const brief = ({ kind, model, error_code, calls, failed_calls, jobs }: Json) => ({
  ...{ kind, model, error_code, calls, failed_calls, jobs },
});

test('errors are grouped by kind, model and code of the provider, with the calls and jobs that they hit (spec 19.72)', async () => {
  const { total, groups, groups_total, buckets } = await get(`/api/usage/errors?${range}&team_id=${teamId}`);

  expect(total).toEqual({ calls: 4, failed_calls: 3, jobs: 3 });
  expect(groups_total).toBe(3);
  expect(groups.map(brief)).toEqual(
    expect.arrayContaining([
      { kind: 'rate_limited', model: 'gpt', error_code: 'rate_limit_exceeded', calls: 2, failed_calls: 1, jobs: 2 },
      { kind: 'timeout', model: 'claude', error_code: null, calls: 2, failed_calls: 2, jobs: 1 },
      { kind: 'interrupted', model: 'gpt', error_code: null, calls: 1, failed_calls: 1, jobs: 1 },
    ]),
  );
  for (const { trend, calls, first_at, last_at } of groups) {
    expect(trend).toHaveLength(buckets.length);
    expect(trend.reduce((sum: number, one: number) => sum + one, 0)).toBe(calls);
    expect(first_at <= last_at).toBe(true);
  }
});

test('the filters of a group of errors list exactly its calls and its jobs (spec 19.73, spec 19.74, spec 19.76)', async () => {
  const { groups } = await get(`/api/usage/errors?${range}&team_id=${teamId}`);

  for (const { kind, model_group, model, error_code, calls, jobs } of groups) {
    const filters = new URLSearchParams({
      error_kind: kind,
      error_model_group: model_group ?? '(none)',
      error_model: model,
      error_code: error_code ?? '(none)',
      team_id: teamId,
    });
    const ofCalls = await get(`/api/usage/errors/calls?${range}&${filters}`);
    const counted = await get(`/api/jobs?${listRange}&${filters}`);
    const walked = await get(`/api/jobs?${listRange}&${filters}&cursor=&count=none`);
    const totals = await get(`/api/jobs/totals?${listRange}&${filters}`);

    expect([kind, ofCalls.total, ofCalls.calls.length, ofCalls.jobs]).toEqual([kind, calls, calls, jobs]);
    expect([kind, counted.total, walked.jobs.length, totals.jobs]).toEqual([kind, jobs, jobs, jobs]);
    for (const { errors } of ofCalls.calls)
      expect(errors).toEqual([expect.objectContaining({ kind, model, error_code, error: expect.any(String) })]);
  }
});

test('a team sees its calls that failed by kind and model group, without models and codes (spec 19.72)', async () => {
  const { total, groups } = expectOk(await getAsTeam(`/api/usage/errors?${range}`));
  const { calls } = expectOk(await getAsTeam(`/api/usage/errors/calls?${range}&error_kind=timeout`));
  const { total: jobs } = expectOk(await getAsTeam(`/api/jobs?${listRange}&error_kind=timeout`));

  expect(total).toEqual({ calls: 3, failed_calls: 3, jobs: 2 });
  expect(groups.map(brief)).toEqual([
    { kind: 'timeout', calls: 2, failed_calls: 2, jobs: 1 },
    { kind: 'interrupted', calls: 1, failed_calls: 1, jobs: 1 },
  ]);
  expect(jobs).toBe(1);
  expect(JSON.stringify([groups, calls])).not.toMatch(/gpt|claude|429|rate_limit/);
});

test.each([
  '/api/jobs?model=gpt',
  '/api/jobs?error_model=gpt',
  '/api/jobs/totals?model=gpt',
  '/api/jobs/histogram?error_code=429',
  '/api/usage/errors?error_model=gpt',
  '/api/usage/errors/calls?error_code=429',
  '/api/filter-values?field=model',
])('a team that names concrete models or codes in %s is refused (spec 19.74)', async (path) => {
  const { status, body } = await getAsTeam(path);

  expect([status, body.code]).toEqual([403, 'concrete_models_hidden']);
});

test('an admin finds the jobs of which a request went to a concrete model (spec 19.74)', async () => {
  const of = async (model: string) => (await get(`/api/jobs?${listRange}&team_id=${teamId}&model=${model}`)).total;

  expect([await of('claude'), await of('gpt'), await of('no-such-model')]).toEqual([2, 3, 0]);
});

test('what a filter may be set to is offered, to a team only its own (spec 19.78)', async () => {
  await recordJob(gateway.current.deps.database, { team: teamId, created_at: daysAgo(0), job_type: 'Überprüfung' });
  const other = await given.team();

  const types = await get(`/api/filter-values?field=job_type&q=${encodeURIComponent('ÜBER')}`);
  const teams = expectOk(await getAsTeam('/api/filter-values?field=team_id'));
  const all = await get(`/api/filter-values?field=team_id&q=${other.teamId}`);

  expect(types).toEqual({
    field: 'job_type',
    values: [{ value: 'Überprüfung', label: 'Überprüfung' }],
    complete: true,
  });
  expect(teams.values.map(({ value }: Json) => value)).toEqual([teamId]);
  expect(all.values.map(({ value }: Json) => value)).toEqual([other.teamId]);
});
