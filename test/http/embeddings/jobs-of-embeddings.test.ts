import { createHash } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import type { Answer } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { embedWith } from './embed.ts';

const gateway = gatewayForTests({ settings: { TASK_JOB_IDLE: '3s' } });
const given = givenIn(gateway);

const jobOf = (answer: Answer): string => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.headers.get('x-job-id')!;
};
const jobWith = async (team: GivenTeam, job: string) => expectOk(await as(gateway, team).get(`/api/jobs/${job}`));
const jobsOf = async (team: GivenTeam) => expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/jobs`)).jobs;

test('a thousand embeddings that name no job are one job, which is completed when it is idle, for one credit (spec 30.5)', async () => {
  const team = await given.team({ rpm_limit: 10_000, tpm_limit: 10_000_000, credits: 5 });
  const embed = embedWith(gateway, team);
  const clients = Array.from({ length: 20 }, async () => {
    for (let request = 0; request < 50; request += 1) jobOf(await embed({ input: `text ${request}` }));
  });
  await Promise.all(clients);

  const [job, ...others] = await until(
    () => jobsOf(team),
    ([one]) => one.status === 'completed',
    30_000,
  );

  expect(others).toEqual([]);
  expect(await jobWith(team, job.job_id)).toMatchObject({
    ...{ job_type: 'embeddings', external_task_id: 'embeddings', user_id: null },
  });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job.job_id}/costs`)).costs).toMatchObject({
    total_calls: 1_000,
  });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
  await checkLedger(gateway.current.deps.database);
}, 120_000);

test('the calls of a user have a job of their own, also under a name that is no task id (spec 30.5)', async () => {
  const team = await given.team();
  const embed = embedWith(gateway, team);
  const long = 'x'.repeat(255);

  const jobs = [
    jobOf(await embed()),
    jobOf(await embed({ user: 'ann' })),
    jobOf(await embed({ user: 'ann' })),
    jobOf(await embed({ user: long })),
    jobOf(await embed({ safety_identifier: 'ann' })),
  ];

  expect(jobs[1]).toBe(jobs[2]);
  expect(jobs[4]).toBe(jobs[1]);
  expect(new Set(jobs).size).toBe(3);
  const made = await Promise.all([...new Set(jobs)].map((job) => jobWith(team, job)));
  const hash = createHash('sha256').update(long).digest('hex');
  expect(made).toMatchObject([
    { external_task_id: 'embeddings', user_id: null },
    { external_task_id: 'embeddings:ann', user_id: 'ann' },
    { external_task_id: `embeddings:${hash}`, user_id: long },
  ]);
});

test('a job, a task or a source of the team that is named goes first (spec 30.5)', async () => {
  const team = await given.team({ job_key_from: ['header:x-session'] });
  const embed = embedWith(gateway, team);
  const job = await given.job(team);
  const task = unique('task');

  expect(jobOf(await embed({}, { 'x-job-id': job }))).toBe(job);
  expect(jobOf(await embed({ metadata: { job_id: job } }))).toBe(job);
  const ofTask = jobOf(await embed({}, { 'x-external-task-id': task }));
  const ofSession = jobOf(await embed({}, { 'x-session': 'one' }));
  expect(new Set([job, ofTask, ofSession]).size).toBe(3);
});

test('X-Job-End: call completes the job of the embeddings with the call (spec 30.5)', async () => {
  const team = await given.team();

  const job = jobOf(await embedWith(gateway, team)({}, { 'x-job-end': 'call', 'x-job-type': 'index' }));

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
    status: 'completed',
    job_type: 'index',
  });
});

test('a team whose calls have to name a job gets 400 job_required for embeddings that name none (spec 30.5)', async () => {
  const team = await given.team({ jobless_calls: 'refuse' });

  expect(await embedWith(gateway, team)()).toMatchObject({ status: 400, body: { error: { code: 'job_required' } } });
});
