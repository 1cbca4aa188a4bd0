import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { workflowId } from '../../src/domain/ids.ts';
import { type Found, findDisagreements } from '../../src/services/workflows/find-disagreements.ts';
import { resolutionOf, resolveDisagreement } from '../../src/services/workflows/resolve-disagreement.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { answering, closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import '../support/quiet-temporal.ts';
import { restoreFromBeforeCreation, restoreFromBeforeEnd } from '../support/restore-record.ts';
import { runProgram } from '../support/run-program.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';

/** A record that is older than Temporal, in every way in which the two can differ. */
const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0s,10h' },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

const sql = async (text: string, values: unknown[] = []): Promise<Json[]> =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;
const handleOf = (id: string, kind: 'job' | 'delivery' = 'job') =>
  gateway.current.deps.temporal.client.workflow.getHandle(workflowId[kind](id));
const stateOf = async (id: string, kind?: 'job' | 'delivery') => (await handleOf(id, kind).describe()).status.name;

/** What is found of these jobs or deliveries. Ends and beginnings of this moment count too. */
async function find(...ids: string[]): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of findDisagreements(gateway.current.deps, { settledForSeconds: 0 })) all.push(found);
  return all.filter(({ id }) => ids.includes(id));
}

/** Visibility is late. */
async function findUntil(id: string): Promise<Found> {
  const [found] = await until(
    () => find(id),
    (all) => all.length > 0,
  );
  return found!;
}
const findNothingUntil = (...ids: string[]) =>
  until(
    () => find(...ids),
    (all) => all.length === 0,
  );

async function findAndResolve(id: string): Promise<Found> {
  const found = await findUntil(id);
  await resolveDisagreement(gateway.current.deps, found);
  return found;
}

const jobOf = async (team: GivenTeam, id: string) => expectOk(await as(gateway, team).get(`/api/jobs/${id}`));
const untilEnded = (team: GivenTeam, id: string) =>
  until(
    () => jobOf(team, id),
    ({ status }) => !['pending', 'in_progress'].includes(status),
    30_000,
  );

async function endedJob(team: GivenTeam, status: string, fields: object = {}): Promise<string> {
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  if (status === 'cancelled') expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`, fields));
  else expectOk(await as(gateway, team).complete(job, status, { ...fields }));
  return job;
}

test('the workflow of a job that the record does not have is found, and terminated (spec 15.14)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await restoreFromBeforeCreation(gateway.current, job);

  const found = await findAndResolve(job);

  expect(found).toMatchObject({ disagreement: 'unrecorded', team: team.teamId });
  expect(resolutionOf(found)).toBe('terminate');
  expect(await stateOf(job)).toBe('TERMINATED');
  await findNothingUntil(job);
});

test('the running workflow of a job that has ended in the record is found, and terminated (spec 15.14)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const end = { ...endAsRecorded(job, 'failed', 'it failed'), credits: 1 };
  await settleJob(gateway.current.deps.database, end);

  const found = await findAndResolve(job);

  expect(found.disagreement).toBe('recorded_as_ended');
  expect(await stateOf(job)).toBe('TERMINATED');
  expect(await jobOf(team, job)).toMatchObject({ status: 'failed', credit_applied: false });
  await findNothingUntil(job);
});

test.each([
  ['completed', { metadata: { kept: true } }, 1],
  ['failed', { error_message: 'it failed' }, 0],
  ['cancelled', { reason: 'not needed' }, 0],
])(
  'a job that was %s by a command, and is open in the record, ends by it again and is charged once (spec 15.14)',
  async (status, fields, credits) => {
    const team = await given.team({ credits: 5 });
    const job = await endedJob(team, status, fields);
    await handleOf(job).result();
    await restoreFromBeforeEnd(gateway.current, job);

    const found = await findAndResolve(job);
    const ended = await untilEnded(team, job);

    expect(resolutionOf(found)).toBe('end');
    expect(found).toMatchObject({
      disagreement: 'recorded_as_open',
      end: { status, credits_charged: credits, total_calls: 1 },
    });
    expect(ended).toMatchObject({ status, credit_applied: credits === 1 });
    if (status === 'completed') expect(ended.metadata).toEqual({ kept: true });
    if (status === 'failed') expect(ended.error_message).toBe('it failed');
    expect(await as(gateway, team).credits()).toMatchObject({ credits_used: credits });
    await findNothingUntil(job);
  },
);

test('a job that goes on, because it was resumed from a record from before its completion, is found and completed, once however often that is repeated (spec 15.14)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await endedJob(team, 'completed');
  await handleOf(job).result();
  await restoreFromBeforeEnd(gateway.current, job);
  expectOk(await as(gateway, team).call(job));

  const found = await findUntil(job);
  await Promise.all([1, 2].map(() => resolveDisagreement(gateway.current.deps, found)));
  await untilEnded(team, job);
  await resolveDisagreement(gateway.current.deps, found);

  expect(found).toMatchObject({ state: 'running', disagreement: 'recorded_as_open' });
  expect(await jobOf(team, job)).toMatchObject({ status: 'completed' });
  expect(await sql('select total_calls from jobs where job_id = $1', [job])).toEqual([{ total_calls: 2 }]);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1 });
});

test('a single-call job that is open in the record is resumed, ends as its call did and is charged once (spec 15.14)', async () => {
  const team = await given.team({ credits: 5 });
  const { job_id } = expectOk(await as(gateway, team).single());
  await handleOf(job_id).result();
  await restoreFromBeforeEnd(gateway.current, job_id);

  const found = await findAndResolve(job_id);

  expect(resolutionOf(found)).toBe('resume');
  expect(await untilEnded(team, job_id)).toMatchObject({ status: 'completed', credit_applied: true });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1 });
});

test('a job whose workflow was terminated, and that is open in the record, is resumed to its end (spec 15.14)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await handleOf(job).terminate();

  const found = await findAndResolve(job);

  expect(found).toMatchObject({ disagreement: 'recorded_as_open', state: 'terminated' });
  expect(await untilEnded(team, job)).toMatchObject({ status: 'failed', credit_applied: false });
  await findNothingUntil(job);
});

test('a job that has ended and been charged, and that the record does not have, is listed with its charge and left alone (spec 15.14)', async () => {
  const team = await given.team({ credits: 5 });
  const [charged, free] = [await endedJob(team, 'completed'), await endedJob(team, 'cancelled')];
  for (const job of [charged, free]) await handleOf(job).result();
  for (const job of [charged, free]) await restoreFromBeforeCreation(gateway.current, job);

  const [first, second] = [await findAndResolve(charged), await findUntil(free)];

  expect(resolutionOf(first)).toBe('none');
  expect(first).toMatchObject({
    disagreement: 'lost',
    team: team.teamId,
    end: { status: 'completed', credits_charged: 1, total_calls: 1 },
  });
  expect(second).toMatchObject({ disagreement: 'lost', end: { status: 'cancelled', credits_charged: 0 } });
  expect(await find(charged)).toHaveLength(1);
});

test('a job that was deleted because its creation was refused is not listed as lost (spec 15.14)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await restoreFromBeforeCreation(gateway.current, job);
  await handleOf(job).signal('complete', {
    command_id: 'a',
    status: 'failed',
    metadata: null,
    error_message: 'no such job',
  });
  await handleOf(job).result();
  await until(
    async () =>
      (
        await gateway.current.deps.temporal.client.workflow.count(
          `WorkflowId = '${workflowId.job(job)}' and ExecutionStatus = 'Completed'`,
        )
      ).count,
    (count) => count === 1,
  );

  expect(await find(job)).toEqual([]);
});

/** A delivery whose first attempt has failed. From here on the receiver takes it. */
async function waitingDelivery() {
  let status = 500;
  const receiver = await startReceiver((response, request) => answering(status)(response, request));
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  await given.job(team);
  const read = async () =>
    (await sql('select delivery_id, status, attempts from webhook_deliveries where webhook_id = $1', [webhook_id]))[0];
  const { delivery_id } = await until(read, (one) => one?.attempts === 1);
  status = 200;
  return { id: delivery_id as string, read };
}

test('a delivery whose webhook was deleted is no disagreement, and ends at its next attempt without sending (spec 15.14)', async () => {
  const { id } = await waitingDelivery();
  await sql('delete from webhook_deliveries where delivery_id = $1', [id]);
  const { workflow } = gateway.current.deps.temporal.client;
  await until(
    async () => (await workflow.count(`WorkflowId = '${workflowId.delivery(id)}'`)).count,
    (count) => count === 1,
  );

  expect(await find(id)).toEqual([]);
  await handleOf(id, 'delivery').signal('attemptNow');
  expect(await handleOf(id, 'delivery').result()).toBe('gone');
});

test('a delivery that has ended in Temporal, and is pending in the record, is attempted again (spec 15.14)', async () => {
  const { id, read } = await waitingDelivery();
  await handleOf(id, 'delivery').signal('attemptNow');
  await handleOf(id, 'delivery').result();
  await sql('delete from webhook_delivery_attempts where delivery_id = $1 and attempt_number = 2', [id]);
  await sql(
    `update webhook_deliveries set status = 'pending', finished_at = null, attempts = 1 where delivery_id = $1`,
    [id],
  );

  const found = await findAndResolve(id);

  expect(found).toMatchObject({ kind: 'delivery', disagreement: 'recorded_as_open', state: 'completed' });
  await until(read, (one) => one?.status === 'delivered');
  await findNothingUntil(id);
});

test('a delivery whose workflow was terminated, and that is pending in the record, is exhausted (spec 15.14)', async () => {
  const { id, read } = await waitingDelivery();
  await handleOf(id, 'delivery').terminate();

  await findAndResolve(id);

  expect((await read())!.status).toBe('exhausted');
  await findNothingUntil(id);
});

test('jobs that are created, called and ended meanwhile are never found, even without an age limit (spec 15.14)', async () => {
  const team = await given.team({ credits: 1_000 });
  let isOver = false;
  const jobs: string[] = [];
  const work = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { job_id } = expectOk(await as(gateway, team).single());
      jobs.push(job_id, await endedJob(team, 'completed'), await given.job(team));
    }
  });

  for (let round = 0; round < 4; round += 1) {
    const unrecorded = (await find(...jobs)).filter(({ disagreement }) => disagreement !== 'recorded_as_ended');
    expect(unrecorded).toEqual([]);
  }
  isOver = true;
  await Promise.all(work);

  expect(jobs.length).toBeGreaterThan(10);
  await findNothingUntil(...jobs);
}, 60_000);

test('npm run reconcile changes nothing that is younger than a minute, counts what it has compared, and refuses a time that is none (spec 15.14)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  await restoreFromBeforeCreation(gateway.current, job);
  await findUntil(job);
  const run = (...args: string[]) => runProgram('src/reconcile.ts', gateway.current.environment, ...args);

  const printed = await run('--apply', '--since', new Date(Date.now() - 1_000).toISOString());

  expect(JSON.parse(printed.trim().split('\n').at(-1)!)).toMatchObject({ found: 0, failed: 0 });
  expect(await stateOf(job)).toBe('RUNNING');
  await expect(run('--since', 'yesterday')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--since is a time'),
  });
});

test('the ledger is right after all of this', async () => {
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});
