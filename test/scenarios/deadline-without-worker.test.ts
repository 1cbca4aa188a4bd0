import { gatewayForTests } from '../support/gateway.ts';
import { giveDeadline } from '../support/give-deadline.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: WorkerProcess;
afterEach(() => worker.kill());

test('a job whose worker is killed during a call, and whose deadline passes while no worker runs, ends when one starts, once and free (spec 23.11, spec 23.14)', async () => {
  const model = `sim-slow-60000-as-${unique('killed')}`;
  const team = await given.team({ credits: 5, models: [model] });
  worker = await startWorkerProcess(gateway.current);
  const [calling, single] = [await given.job(team), as(gateway, team).single()];
  const call = as(gateway, team).call(calling);
  await untilRequested(gateway, model, 2);
  const jobs: Json[] = expectOk(await as(gateway, team).get('/api/jobs')).jobs;
  const deadlines = await Promise.all(jobs.map(({ job_id }) => giveDeadline(gateway.current, job_id, 2_500)));

  await worker.kill();
  await until(() => deadlines.every((at) => at.getTime() < Date.now()));
  worker = await startWorkerProcess(gateway.current);
  const answers = await Promise.all([call, single]);

  const read = async () => expectOk(await as(gateway, team).get('/api/jobs')).jobs;
  const ended: Json[] = await until(read, (all: Json[]) => all.every(({ completed_at }) => completed_at !== null));
  expect(ended.map(({ status, ended_by, error_message }) => [status, ended_by, error_message])).toEqual(
    Array(2).fill(['failed', 'deadline', 'Job deadline exceeded']),
  );
  expect(answers.map(({ status }) => status)).toEqual([500, 409]);
  for (const { job_id } of jobs) {
    const { calls } = expectOk(await as(gateway, team).get(`/api/jobs/${job_id}/calls`));
    expect(calls.map(({ error }: Json) => error)).toEqual(['deadline']);
  }
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 120_000);
