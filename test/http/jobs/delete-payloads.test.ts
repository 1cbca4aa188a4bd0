import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const query = async (text: string, values: unknown[]) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;

const auditOf = (resource: string) =>
  query('select action, details from audit_log where resource_id = $1 order by position', [resource]);

async function givenEndedJob(team: GivenTeam, fields: object = {}, calls = 2): Promise<{ job: string; ids: string[] }> {
  const created = expectOk(
    await as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...fields }),
  );
  const ids: string[] = [];
  const body = { purpose: 'draft', call_metadata: { of: 'user' } };
  for (let n = 0; n < calls; n += 1) ids.push(expectOk(await as(gateway, team).call(created.job_id, body)).call_id);
  expectOk(await as(gateway, team).complete(created.job_id));
  return { job: created.job_id, ids };
}

const remove = (team: GivenTeam, job: string) => as(gateway, team).delete(`/api/jobs/${job}/payloads`);

test('the texts of an ended job are deleted once, and its costs and attempts stay (spec 3.20)', async () => {
  const team = await given.team({ credits: 3 });
  const { job, ids } = await givenEndedJob(team);
  const costs = () => as(gateway, team).get(`/api/jobs/${job}/costs`);
  const attempts = () => admin.get(`/api/jobs/${job}/costs`);
  const before = [(await costs()).body, (await attempts()).body];

  expect(expectOk(await remove(team, job))).toEqual({ job_id: job, deleted: 2 });
  expect(expectOk(await remove(team, job))).toEqual({ job_id: job, deleted: 0 });

  expect([(await costs()).body, (await attempts()).body]).toEqual(before);
  const call = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${ids[0]}?include=request,response`));
  expect(call).toMatchObject({ request: null, response: null });
  expect(await auditOf(job)).toEqual([]);
});

test("an admin's deletion is audited, once (spec 3.20, spec 12.11)", async () => {
  const { job } = await givenEndedJob(await given.team({ credits: 3 }));

  expect(expectOk(await admin.delete(`/api/jobs/${job}/payloads`)).deleted).toBe(2);
  expect(expectOk(await admin.delete(`/api/jobs/${job}/payloads`)).deleted).toBe(0);

  expect(await auditOf(job)).toEqual([{ action: 'deleted_payloads', details: {} }]);
});

test("the texts of an open job, of another team's and of an unknown one stay (spec 3.20)", async () => {
  const [team, other] = [await given.team({ credits: 3 }), await given.team()];
  const open = await given.job(team);
  expectOk(await as(gateway, team).call(open));
  const { job } = await givenEndedJob(team);

  const answers = [
    await remove(team, open),
    await remove(other, job),
    await remove(team, '00000000-0000-4000-8000-000000000000'),
  ];

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [409, 'job_open'],
    [403, 'job_of_another_team'],
    [404, 'job_not_found'],
  ]);
  expect(answers[0]!.body.detail).toBe('Job is still in_progress');
  const [{ stored }] = await query(
    'select count(*)::int as stored from call_payloads join calls using (call_id) where team_id = $1',
    [team.teamId],
  );
  expect(stored).toBe(3);
});

test('nothing of an erased user is left but sums, ledger and open jobs (spec 8.11)', async () => {
  const user = unique('user');
  const team = await given.team({ credits: 9, models: ['sim-ok'] });
  const fields = { user_id: user, external_task_id: `task of ${user}`, metadata: { name: user } };
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/jobs', events: ['job.completed'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const ended = [await givenEndedJob(team, fields), await givenEndedJob(team, fields, 1)];
  const cancelled = await given.job(team, fields);
  expectOk(await as(gateway, team).post(`/api/jobs/${cancelled}/cancel`, { reason: `${user} left` }));
  const failed = await given.job(team, fields);
  expectOk(
    await as(gateway, team).post(`/api/jobs/${failed}/complete`, { status: 'failed', error_message: `of ${user}` }),
  );
  const open = await given.job(team, fields);
  const others = await givenEndedJob(team, { user_id: 'another' });
  const credits = await as(gateway, team).credits();
  const erase = async () =>
    expectOk(await as(gateway, team).post(`/api/teams/${team.teamId}/erase`, { user_id: user }));

  expect(await erase()).toEqual({ jobs: 4, payloads: 3, open_jobs: 1 });
  expect(await erase()).toEqual({ jobs: 0, payloads: 0, open_jobs: 1 });

  const tables = [
    'select row_to_json(j)::text as row from jobs j where team_id = $1 and completed_at is not null',
    'select row_to_json(c)::text as row from calls c where team_id = $1',
    'select row_to_json(a)::text as row from call_attempts a join calls using (call_id) where team_id = $1',
    'select row_to_json(p)::text as row from call_payloads p join calls using (call_id) where team_id = $1',
    'select row_to_json(d)::text as row from webhook_deliveries d join webhooks using (webhook_id) where team_id = $1',
    'select row_to_json(t)::text as row from credit_transactions t where team_id = $1',
    'select row_to_json(e)::text as row from audit_log e where resource_id = $1',
  ];
  for (const table of tables)
    expect((await query(table, [team.teamId])).filter(({ row }) => row.includes(user))).toEqual([]);
  const ownCalls = await query('select purpose, call_metadata from calls where job_id = $1', [ended[0]!.job]);
  expect(ownCalls).toEqual([
    { purpose: null, call_metadata: null },
    { purpose: null, call_metadata: null },
  ]);
  expect(await as(gateway, team).credits()).toEqual(credits);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${open}`))).toMatchObject({ user_id: user });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${others.job}`))).toMatchObject({ user_id: 'another' });
  expect((await auditOf(team.teamId)).filter(({ action }) => action === 'erased_user')).toHaveLength(1);
});

test('the failed calls of an erased user, and jobs of tasks, keep that they failed and lose why (spec 8.11)', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const body = { model: team.modelGroup, messages: [{ role: 'user', content: 'x' }], user: 'u-1' };
  const headers = { 'x-external-task-id': unique('task') };
  expect((await as(gateway, team).post('/v1/chat/completions', body, headers)).status).toBeGreaterThan(399);
  const [{ job_id }] = await query('update jobs set user_id = $2 where team_id = $1 returning job_id', [
    team.teamId,
    'u-1',
  ]);
  expectOk(await as(gateway, team).complete(job_id));

  const answer = await as(gateway, team).post(`/api/teams/${team.teamId}/erase`, { user_id: 'u-1' });

  expect(expectOk(answer)).toMatchObject({ jobs: 1, open_jobs: 0 });
  expect(await query('select status, error from calls where job_id = $1', [job_id])).toEqual([
    { status: 'failed', error: 'erased' },
  ]);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job_id}`))).toMatchObject({ external_task_id: null });
});
