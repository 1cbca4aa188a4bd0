import { advanceCursor } from '../../src/db/maintenance/sweep-cursors.ts';
import { workflowId } from '../../src/domain/ids.ts';
import { isFinished } from '../../src/domain/job-state.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { disappearances, type Loss, terminations } from '../support/lose-workflow.ts';
import { maintain } from '../support/maintain.ts';
import '../support/quiet-temporal.ts';
import type { Answer, Json } from '../support/send-request.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';

/**
 * Every way in which the workflow of a job is lost, in every state of the job, with every request that may follow or none: the job
 * comes to its right end, is charged at most once, and no answer differs from the record.
 */
const gateway = gatewayForTests();
const given = givenIn(gateway);
const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;
const client = () => gateway.current.deps.temporal.client;

const job = { ok: 'sim-ok', failing: 'sim-fail-400', running: 'sim-slow-6000' };
type Model = keyof typeof job;

/** A job in some state, with the requests that wait for an answer. */
interface Situation {
  jobId: string;
  waiting: Promise<Answer>[];
}
type Prepare = (team: (model: Model) => GivenTeam) => Promise<Situation>;

/** The job type of single-call jobs that cannot be settled until `release`. */
const held = 'held';
const hold = () =>
  sql(`create or replace function hold() returns trigger language plpgsql as $$ begin raise exception 'held'; end $$;
       create or replace trigger hold before update on jobs for each row
         when (old.job_type = '${held}' and new.completed_at is not null) execute function hold()`);
const release = () => sql('drop trigger hold on jobs');

const isBegun = (jobId: string) => until(async () => (await callsOf(jobId))[0]?.status === 'running');
const callsOf = (jobId: string): Promise<Json[]> =>
  sql('select call_id, status, error, finished_at from calls where job_id = $1 order by position', [jobId]);

let marks = 0;
/** A single-call job, by an answer that is on its way. */
async function singleOf(
  team: GivenTeam,
  fields: object,
  isReached: (jobId: string) => Promise<boolean>,
  stream = false,
) {
  marks += 1;
  const external_task_id = `mark-${marks}`;
  const own = as(gateway, team);
  const answer = (stream ? own.singleStream : own.single)({ ...fields, external_task_id });
  const found = async () => (await sql('select job_id from jobs where external_task_id = $1', [external_task_id]))[0];
  const { job_id: jobId } = await until(found);
  await until(() => isReached(jobId));
  return { jobId, waiting: [answer] };
}
const callHasEnded = async (jobId: string) => (await callsOf(jobId))[0]?.finished_at !== null;

async function runningCall(team: GivenTeam) {
  const jobId = await given.job(team);
  const answer = as(gateway, team).call(jobId);
  await isBegun(jobId);
  return { jobId, answer };
}

const states: Record<string, Prepare> = {
  'has no call': async (team) => ({ jobId: await given.job(team('ok')), waiting: [] }),
  'has a queued call': async (team) => {
    const jobId = await given.job(team('ok'));
    await insertUnsentCall(gateway.current, team('ok'), jobId, { streamed: false });
    return { jobId, waiting: [] };
  },
  'has a running call': async (team) => {
    const { jobId, answer } = await runningCall(team('running'));
    return { jobId, waiting: [answer] };
  },
  'has an answered call': async (team) => {
    const jobId = await given.job(team('ok'));
    expectOk(await as(gateway, team('ok')).call(jobId));
    return { jobId, waiting: [] };
  },
  'waits for its call to be completed': async (team) => {
    const { jobId, answer } = await runningCall(team('running'));
    const completion = as(gateway, team('running')).complete(jobId);
    await until(async () => (await gateway.current.deps.jobs.state(jobId)) !== undefined);
    return { jobId, waiting: [answer, completion] };
  },
  'is a single-call job whose call runs': (team) =>
    singleOf(team('running'), {}, async (jobId) => (await callsOf(jobId))[0]?.status === 'running'),
  'is a single-call job whose call succeeded': (team) => singleOf(team('ok'), { job_type: held }, callHasEnded),
  'is a single-call job whose streamed call succeeded': (team) =>
    singleOf(team('ok'), { job_type: held }, callHasEnded, true),
  'is a single-call job whose call failed': (team) => singleOf(team('failing'), { job_type: held }, callHasEnded),
};

const requests: Record<string, (team: GivenTeam, jobId: string) => Promise<Answer> | undefined> = {
  nothing: () => undefined,
  'a call': (team, jobId) => as(gateway, team).call(jobId),
  'a completion': (team, jobId) => as(gateway, team).complete(jobId),
  'a cancel': (team, jobId) => as(gateway, team).post(`/api/jobs/${jobId}/cancel`),
  'an update': (team, jobId) => as(gateway, team).patch(`/api/jobs/${jobId}/metadata`, { metadata: { late: true } }),
};

const terminated = { status: 'failed', error_message: "The job's workflow was terminated", credit_applied: false };
const completed = { status: 'completed', error_message: null, credit_applied: true };

/** How the job has to end; undefined: it stays open. */
function expectedEnd(isTerminated: boolean, state: string, request: string): object | undefined {
  if (state.endsWith('call succeeded')) return completed;
  if (state.endsWith('call failed')) return { status: 'failed', credit_applied: false };
  if (isTerminated) return terminated;
  if (request === 'a cancel') return { status: 'cancelled', credit_applied: false };
  return request === 'a completion' || state.includes('single-call') ? completed : undefined;
}

/** Expects a final answer to agree with the record, and one that tells nothing to be possible at this moment. */
function expectToAgree(
  { status, body, text, headers }: Answer,
  ended: Json,
  calls: Json[],
  isInterrupted: boolean,
): void {
  const call = calls.find(({ call_id }) => call_id === headers.get('x-call-id'));
  if (status === 503) expect(isInterrupted).toBe(true);
  else if (status === 409) expect(body.detail).toBe(`Job is already ${ended.status}`);
  else if (status === 500) expect(body.detail).toBe(`LLM call failed: ${call.error}`);
  else if (text.startsWith('data:')) expect([call.status, text.includes('"error"')]).toEqual(['succeeded', false]);
  else if (call) expect([status, call.status]).toEqual([200, 'succeeded']);
  else if (body.metadata) expect([status, ended.metadata]).toEqual([200, body.metadata]);
  else expect([status, body.status]).toEqual([200, ended.status]);
}

const losses: [string, Loss][] = Object.entries({ ...terminations, ...disappearances });

test.each(losses)(
  'a job whose workflow %s comes to its right end in every state, and after every request',
  async (way, lose) => {
    const models = Object.keys(job) as Model[];
    const entries = await Promise.all(
      models.map(async (model) => [model, await given.team({ credits: 100, models: [job[model]] })] as const),
    );
    const teams = Object.fromEntries(entries) as Record<Model, GivenTeam>;
    const teamOf: Record<string, GivenTeam> = {};
    await hold();
    const cases = await Promise.all(
      Object.entries(states).flatMap(([state, prepare]) =>
        Object.entries(requests).map(async ([request, send]) => {
          let team = teams.ok;
          const situation = await prepare((model) => {
            team = teams[model];
            return team;
          });
          teamOf[situation.jobId] = team;
          return { state, request, send, ...situation };
        }),
      ),
    );
    await sql(`update jobs set created_at = created_at - interval '1 minute' where completed_at is null`);
    await sql(`update calls set created_at = created_at - interval '1 minute' where finished_at is null`);
    await advanceCursor(gateway.current.deps.database, 'unsent calls', new Date());

    await Promise.all(cases.map(({ jobId }) => lose(client(), workflowId.job(jobId))));
    await release();
    const answers = await Promise.all(cases.map(async ({ send, jobId }) => send(teamOf[jobId]!, jobId)));
    const isTerminated = Object.hasOwn(terminations, way);
    const open = cases.filter(({ state, request }) => !expectedEnd(isTerminated, state, request));
    const ending = cases.filter((one) => !open.includes(one));
    await until(
      async () => {
        await maintain(gateway.current);
        const rows = await sql('select 1 from jobs where job_id = any ($1) and completed_at is null', [
          ending.map(({ jobId }) => jobId),
        ]);
        return rows.length === 0;
      },
      Boolean,
      60_000,
    );
    for (const { jobId } of open) {
      const { status } = await client().workflow.getHandle(workflowId.job(jobId)).describe();
      expect(status.name).toBe('RUNNING');
      expectOk(await as(gateway, teamOf[jobId]!).complete(jobId));
    }

    for (const [index, { state, request, jobId, waiting }] of cases.entries()) {
      const ended = expectOk(await as(gateway, teamOf[jobId]!).get(`/api/jobs/${jobId}`));
      const calls = await callsOf(jobId);
      const about = { way, state, request };
      expect({ ...about, ...ended }).toMatchObject({
        ...about,
        ...(expectedEnd(isTerminated, state, request) ?? completed),
      });
      expect({ ...about, isFinished: isFinished(ended.status) }).toEqual({ ...about, isFinished: true });
      for (const answer of await Promise.all(waiting)) expectToAgree(answer, ended, calls, true);
      if (answers[index]) expectToAgree(answers[index], ended, calls, false);
    }
    const charged = await sql('select 1 from jobs where credit_applied');
    const used = await sql('select coalesce(sum(credits_used), 0)::int as used from credit_accounts');
    expect(used).toEqual([{ used: charged.length }]);
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
  180_000,
);
