import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

let worker: WorkerProcess;
afterEach(() => worker.kill());

test('an api that shuts down answers 503 to calls that no worker has started, and retracts them (spec 15.2)', async () => {
  const { deps } = gateway.current;
  const team = await given.team({ credits: 5 });
  worker = await startWorkerProcess(gateway.current);
  const job = await given.job(team);
  const calls = async () => (await deps.database.pool.query('select from calls')).rowCount;

  worker.signal('SIGSTOP');
  const requests = [as(gateway, team).call(job), as(gateway, team).single()];
  await until(async () => (await calls()) === requests.length);
  deps.callSubscriptions.shutDown();
  const answers = await Promise.all(requests);
  const { jobs } = expectOk(await as(gateway, team).get('/api/jobs'));
  worker.signal('SIGCONT');

  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(jobs).toMatchObject([{ job_id: job }]);
  await until(() => !deps.workerWatch.isUnavailable());
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 0, credits_remaining: 4 });
}, 60_000);
