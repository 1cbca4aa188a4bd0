import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('a job is read with all of its fields, before its first call and after its end (spec 1.9, spec 3.1, spec 3.3, spec 3.11)', async () => {
  const team = await given.team();
  const second = await given.modelGroup();
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, second] });
  const fields = { job_type: 'report', user_id: 'ann', external_task_id: 'task-1', metadata: { place: 'here' } };
  const read = async (jobId: string) => expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));

  const created = await as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, ...fields });
  const job = expectOk(created).job_id;
  const pending = await read(job);
  for (const model_group of [second, team.modelGroup, second])
    expectOk(await as(gateway, team).call(job, { model_group }));
  expectOk(await as(gateway, team).complete(job, 'failed', { error_message: 'No rivers' }));
  const ended = await read(job);

  expect(created.body).toEqual({
    job_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    status: 'pending',
    created_at: isoTime,
  });
  const whole = {
    ...created.body,
    ...fields,
    team_id: team.teamId,
    organization_id: team.organizationId,
    started_at: null,
    completed_at: null,
    model_groups_used: [],
    credit_applied: false,
    error_message: null,
    ended_by: null,
  };
  expect(pending).toEqual(whole);
  expect(ended).toEqual({
    ...whole,
    status: 'failed',
    started_at: isoTime,
    completed_at: isoTime,
    model_groups_used: [second, team.modelGroup],
    error_message: 'No rivers',
    ended_by: 'client',
  });
});
