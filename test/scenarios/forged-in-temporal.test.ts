import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { workflowId } from '../../src/domain/ids.ts';
import { jobEnders } from '../../src/domain/job-state.ts';
import type { JobView } from '../../workflows/contract/messages.ts';
import { type JobIdentity, type JobSnapshot, newJobSnapshot } from '../../workflows/contract/workflows.ts';
import { adminsIn } from '../http/admin-users/admins.ts';
import { chatWith } from '../http/openai/chat.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { maintain } from '../support/maintain.ts';
import '../support/quiet-temporal.ts';
import { type Json, sendRequest } from '../support/send-request.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

/**
 * Temporal has no login. Here is everything that somebody can send who reaches it and has no secret of the gateway, with what that
 * could move: money, and the audit log. `spec 3.19`
 */
const gateway = gatewayForTests({ settings: { TRUST_PROXY: 'on' } });
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const client = () => gateway.current.deps.temporal.client;
const queue = () => gateway.current.deps.temporal.taskQueue;
const handleOf = (job: string) => client().workflow.getHandle(workflowId.job(job));
const sql = async (text: string, values: unknown[] = []): Promise<Json[]> =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;

/** All that must not change: every row of the ledger and of the accounts, and every entry of the audit log. */
const protectedRows = () =>
  sql(`select (select json_agg(t order by position) from credit_transactions t)::text as ledger,
              (select json_agg(a order by team_id) from credit_accounts a)::text as accounts,
              (select json_agg(a order by position) from audit_log a)::text as audit`);
const recordOf = async (job: string): Promise<Json> =>
  (
    await sql(
      'select status, ended_by, error_message, cancel_reason, credit_applied, credits_charged from jobs where job_id = $1',
      [job],
    )
  )[0]!;
const untilEnded = (job: string) =>
  until(
    () => recordOf(job),
    ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
    30_000,
  );

/** Rounds of maintenance end the calls that their workflow has lost, and resume its job. A round skips what is only some seconds old. */
const untilCallsEnded = () =>
  until(
    async () => {
      await maintain(gateway.current);
      return sql("select from calls where status in ('queued', 'running')");
    },
    ({ length }) => length === 0,
    60_000,
  );

const endedInTemporal = {
  status: 'failed',
  ended_by: 'operator',
  error_message: 'The job was ended in Temporal',
  credit_applied: false,
  credits_charged: 0,
};
const auditEntry = JSON.stringify({
  audit_id: randomUUID(),
  user_id: randomUUID(),
  action: 'deleted_user',
  resource_type: 'admin_user',
  resource_id: 'forged',
  details: {},
  ip_address: '203.0.113.9',
});

afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

/** An open job with one successful call: its completion would be charged. */
async function chargeable(fields: Record<string, unknown> = {}): Promise<{ team: GivenTeam; job: string }> {
  const team = await given.team({ credits: 5, ...fields });
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  return { team, job };
}

/** The sealed command in the first signal of this name in a job's history. */
async function sealedIn(job: string, signal: string): Promise<string> {
  const { events } = await handleOf(job).fetchHistory();
  const attributes = events!
    .map((event) => event.workflowExecutionSignaledEventAttributes)
    .find((one) => one?.signalName === signal);
  return JSON.parse(Buffer.from(attributes!.input!.payloads![0]!.data!).toString()).sealed_end;
}

const completion = (fields: object = {}) => ({
  command_id: randomUUID(),
  status: 'completed',
  metadata: null,
  error_message: null,
  ...fields,
});

type ForgedState = Omit<Partial<JobSnapshot>, 'job'> & { job?: Partial<JobIdentity> };

/** Replaces the workflow of a job by one of the gateway's own with another state. */
async function replace(job: string, team: GivenTeam, state: ForgedState) {
  const identity = {
    job_id: job,
    team_id: team.teamId,
    organization_id: team.organizationId,
    job_type: 'report',
    single_call: false,
    for_task: false,
    ...state.job,
  };
  const view = {
    status: 'in_progress',
    started_at: Date.now(),
    model_groups_used: [],
    metadata: {},
    updated_at: Date.now(),
  } satisfies JobView;
  await client().workflow.start('job', {
    taskQueue: queue(),
    workflowId: workflowId.job(job),
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    args: [{ state: { ...newJobSnapshot(1, identity, view), ...state, job: identity }, idle_timeout_ms: 1 }],
  });
}

test.each<[string, (job: string) => object | Promise<object>]>([
  ['without a sealed command', () => ({})],
  ['with text in place of a sealed command', () => ({ sealed_end: 'completed' })],
  ["with an admin's audit entry and an ender", () => ({ audit_entry: auditEntry, ended_by: 'client' })],
  [
    "with another job's sealed command",
    async () => {
      const other = await chargeable();
      expectOk(await as(gateway, other.team).complete(other.job));
      return { sealed_end: await sealedIn(other.job, 'complete') };
    },
  ],
])(
  'the signal complete %s ends the job as failed, without a charge and an audit entry (spec 3.19)',
  async (_, fieldsOf) => {
    const { job } = await chargeable();
    const message = completion(await fieldsOf(job));
    const before = await protectedRows();

    await handleOf(job).signal('complete', message);

    expect(await untilEnded(job)).toMatchObject(endedInTemporal);
    expect(await protectedRows()).toEqual(before);
  },
);

test('the client of a job that was completed in Temporal is answered that it has failed', async () => {
  const { team, job } = await chargeable();

  await handleOf(job).signal('complete', completion());
  await untilEnded(job);

  expect(await as(gateway, team).complete(job)).toMatchObject({ status: 409 });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 0 });
});

test.each<[string, object]>([
  ['without a sealed command', {}],
  ['with an audit entry', { audit_entry: auditEntry }],
  ['with an audit entry in place of a sealed command', { sealed_end: auditEntry }],
])(
  'the signal cancel %s cancels the job as an operator does, without an audit entry (spec 3.19)',
  async (_, fields) => {
    const { job } = await chargeable();
    const before = await protectedRows();

    await handleOf(job).signal('cancel', { command_id: randomUUID(), reason: 'forged', ...fields });

    expect(await untilEnded(job)).toMatchObject({ status: 'cancelled', ended_by: 'operator', cancel_reason: 'forged' });
    expect(await protectedRows()).toEqual(before);
  },
);

test("an admin's cancel is audited, and neither the admin's id nor the address is in the job's history (spec 3.19)", async () => {
  const { userId, email, token } = await admins.admin('admin');
  const { job } = await chargeable();
  const address = '203.0.113.77';

  const headers = { 'x-forwarded-for': address };
  expectOk(await sendRequest(gateway.current.url, 'post', `/api/jobs/${job}/cancel`, { key: token, headers }));

  const [entry] = await sql('select user_id, action from audit_log where resource_id = $1', [job]);
  expect(entry).toEqual({ user_id: userId, action: 'cancelled_job' });
  expect(await recordOf(job)).toMatchObject({ status: 'cancelled', ended_by: 'admin' });
  const history = historyToJSON(await handleOf(job).fetchHistory());
  const text = [...history.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, data]) => Buffer.from(data!, 'base64'));
  expect(text.join('\n')).toContain('sealed_end');
  for (const secret of [userId, email, 'cancelled_job', address])
    expect(`${history}${text.join('\n')}`).not.toContain(secret);
});

test.each([...jobEnders, undefined])(
  'a workflow that is started for an open job with a completion by %s ends it as failed, without a charge',
  async (ended_by) => {
    const { team, job } = await chargeable();
    const before = await protectedRows();

    const ending = { status: 'completed', error_message: null, cancel_reason: null } as const;
    const forged = { ...ending, audit_entry: auditEntry, sealed_end: auditEntry, ...(ended_by && { ended_by }) };
    await replace(job, team, { ending: forged, is_answered: true, job: { for_task: true } });

    expect(await untilEnded(job)).toMatchObject(endedInTemporal);
    expect(await protectedRows()).toEqual(before);
  },
);

test("a command to fail does not complete its job, although it is the client's own", async () => {
  const model = 'sim-slow-60000-as-failing';
  const team = await given.team({ credits: 5, models: [model] });
  const job = await given.job(team);
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model);
  const failing = as(gateway, team).complete(job, 'failed');
  await until(async () =>
    (await handleOf(job).fetchHistory()).events!.some(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === 'complete',
    ),
  );
  const sealed_end = await sealedIn(job, 'complete');
  const before = await protectedRows();

  const ending = { status: 'completed', error_message: null, cancel_reason: null, ended_by: 'client' } as const;
  await replace(job, team, { ending: { ...ending, sealed_end } });

  expect(await untilEnded(job)).toMatchObject(endedInTemporal);
  expect(await protectedRows()).toEqual(before);
  await untilCallsEnded();
  await Promise.all([call, failing]);
}, 120_000);

test.each<[string, ForgedState, object]>([
  ['X-Job-End that its client did not send', {}, { end_job: 'call' }],
  ['the end of a single-call job', { job: { single_call: true } }, { opens_job: true }],
])('a call that has succeeded does not complete its job by %s', async (_, state, fields) => {
  const { team, job } = await chargeable();
  const [{ call_id }] = (await sql('select call_id from calls where job_id = $1', [job])) as [Json];
  const before = await protectedRows();

  await replace(job, team, { ...state, deferred_calls: [{ call_id, model_group: team.modelGroup, ...fields }] });

  expect(await untilEnded(job)).toMatchObject(endedInTemporal);
  expect(await protectedRows()).toEqual(before);
});

test('a signalled call of another job with end_job does not complete a job', async () => {
  const [{ job }, other] = [await chargeable(), await chargeable()];
  const [{ call_id }] = (await sql('select call_id from calls where job_id = $1', [other.job])) as [Json];
  const before = await protectedRows();

  await handleOf(job).signal('llmCall', { call_id, model_group: null, end_job: 'call' });

  expect(await untilEnded(job)).toMatchObject(endedInTemporal);
  expect(await protectedRows()).toEqual(before);
});

test('an answered job of a task is not completed before it is idle, however short the idle time that its workflow was given', async () => {
  const team = await given.team({ credits: 5 });
  const answer = await chatWith(gateway, team)({}, { 'x-external-task-id': unique('task') });
  const job = answer.headers.get('x-job-id')!;
  const before = await protectedRows();

  await replace(job, team, { is_answered: true, job: { for_task: true } });
  const isRetried = async () =>
    ((await handleOf(job).describe()).raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1);
  await until(isRetried, Boolean, 30_000);

  expect(await recordOf(job)).toMatchObject({ status: 'in_progress', credit_applied: false });
  expect(await protectedRows()).toEqual(before);
  await sql(
    `with moved as (update calls set created_at = created_at - interval '1 hour', finished_at = finished_at - interval '1 hour' where job_id = $1)
     update jobs set created_at = created_at - interval '1 hour', started_at = started_at - interval '1 hour',
                     updated_at = updated_at - interval '1 hour' where job_id = $1`,
    [job],
  );
  expect(await untilEnded(job)).toMatchObject({ status: 'completed', ended_by: 'idle', credits_charged: 1 });
}, 60_000);

test('a forged end of a running call does not complete its job, and a forged end of the job moves no money', async () => {
  const model = 'sim-slow-60000-as-forged';
  const team = await given.team({ credits: 5, models: [model] });
  const calls = [as(gateway, team).single(), as(gateway, team).single()];
  await untilRequested(gateway, model, 2);
  const jobs = await sql('select job_id from jobs where team_id = $1', [team.teamId]);
  const [one, other] = jobs.map(({ job_id }) => job_id as string) as [string, string];
  const before = await protectedRows();
  const endCall = async (job: string, result: object) => {
    const { pendingActivities } = (await handleOf(job).describe()).raw;
    const activityId = pendingActivities!.find(({ activityType }) => activityType?.name === 'callUpstream')!
      .activityId!;
    await client().activity.complete({ workflowId: workflowId.job(job), activityId }, result);
  };

  await endCall(one, { error: null });
  const settled = { status: 'completed', credit_applied: true, credits_remaining: 4, completed_at: new Date() };
  await endCall(other, { error: null, job: { ...settled, total_calls: 1, failed_calls: 0, total_tokens: 1 } });

  expect(await untilEnded(one)).toMatchObject(endedInTemporal);
  await until(async () => (await handleOf(other).describe()).status.name === 'COMPLETED');
  expect(await recordOf(other)).toMatchObject({ status: 'in_progress', credit_applied: false });
  expect(await protectedRows()).toEqual(before);
  // Resumes the job, which is open in the record.
  await given.admin('post', `/api/jobs/${other}/cancel`);
  await untilCallsEnded();
  await Promise.all(calls);
}, 120_000);

describe('an activity of the gateway that a foreign workflow schedules', () => {
  const foreign = `foreign-${randomUUID()}`;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const connection = await NativeConnection.connect({ address: services.temporalAddress });
    const worker = await Worker.create({
      connection,
      namespace: services.temporalNamespace,
      taskQueue: foreign,
      workflowsPath: fileURLToPath(new URL('../support/forging-workflow.ts', import.meta.url)),
    });
    const stopped = worker.run();
    stop = async () => {
      worker.shutdown();
      await stopped;
      await connection.close();
    };
  }, 60_000);
  afterAll(() => stop());

  const forge = (activity: string, input: unknown) =>
    client().workflow.execute('forge', {
      taskQueue: foreign,
      workflowId: `forged-${randomUUID()}`,
      args: [queue(), activity, input],
    });

  const settlement = (job_id: string, fields: object = {}) => ({
    job_id,
    status: 'completed',
    error_message: null,
    cancel_reason: null,
    metadata: {},
    model_groups_used: [],
    completed_at: Date.now(),
    ...fields,
  });
  const everything = {
    audit_entry: auditEntry,
    credits: 1_000_000,
    billed_by: { budget_mode: 'job_based', credit_rate: null },
    usd_per_credit: '1000',
    ended_by_call: true,
    for_task: true,
    is_idle: true,
    is_answered: true,
  };

  test.each([...jobEnders, undefined])(
    'settleJob with a completion by %s and fields of its own charges and audits nothing (spec 3.19)',
    async (ended_by) => {
      const { job } = await chargeable();
      const before = await protectedRows();

      await forge('settleJob', settlement(job, { ...everything, ended_by }));

      expect(await recordOf(job)).toMatchObject(endedInTemporal);
      expect(await protectedRows()).toEqual(before);
    },
  );

  test('settleJob with a cancel and an audit entry writes none (spec 3.19)', async () => {
    const { job } = await chargeable();
    const before = await protectedRows();

    await forge('settleJob', settlement(job, { ...everything, status: 'cancelled', ended_by: 'admin' }));

    expect(await recordOf(job)).toMatchObject({ status: 'cancelled', ended_by: 'operator' });
    expect(await protectedRows()).toEqual(before);
  });

  test('settleJob changes nothing of a job that has ended', async () => {
    const { team, job } = await chargeable();
    expectOk(await as(gateway, team).complete(job, 'failed'));
    const [before, record] = [await protectedRows(), await recordOf(job)];

    await forge('settleJob', settlement(job, { ended_by: 'call' }));

    expect(await recordOf(job)).toEqual(record);
    expect(await protectedRows()).toEqual(before);
  });

  test('no other activity charges or audits anything, whatever its input', async () => {
    const { job } = await chargeable();
    const [{ call_id }] = (await sql('select call_id from calls where job_id = $1', [job])) as [Json];
    const before = await protectedRows();
    const inputs: [string, unknown][] = [
      ['recordCost', { job_id: job, total_cost_usd: '1000', ...everything }],
      ['closeCall', { call_id, status: 'failed', error: 'forged', job_started_at: 1, ...everything }],
      ['callUpstream', { call_id, starts_job: true, job_started_at: 1, ends_job: true, ...everything }],
      ['saveMetadata', { job_id: job, metadata: { forged: true }, updated_at: Date.now() + 1, ...everything }],
      ['abortCalls', everything],
      ['deliverWebhook', { delivery_id: randomUUID(), last: true, ...everything }],
      ['maintain', { refills: [{ team_id: 'any', credits: 1_000 }], ...everything }],
    ];

    for (const [activity, input] of inputs) await forge(activity, input).catch(() => undefined);

    expect(await recordOf(job)).toMatchObject({ status: 'in_progress', credit_applied: false });
    expect(await protectedRows()).toEqual(before);
  }, 60_000);
});

test('workflows of maintenance and of deliveries with forged inputs charge and audit nothing (spec 3.19, spec 12.12)', async () => {
  const { job } = await chargeable();
  const before = await protectedRows();

  await client().workflow.execute('webhookDelivery', {
    taskQueue: queue(),
    workflowId: `delivery-${randomUUID()}`,
    args: [{ delivery_id: randomUUID(), delays_ms: [0, 0], job_id: job, status: 'completed', audit_entry: auditEntry }],
  });
  await maintain(gateway.current);

  expect(await recordOf(job)).toMatchObject({ status: 'in_progress', credit_applied: false });
  expect(await protectedRows()).toEqual(before);
});
