import { advanceCursor } from '../../src/db/maintenance/sweep-cursors.ts';
import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { disappearances, terminations } from '../support/lose-workflow.ts';
import { maintain } from '../support/maintain.ts';
import '../support/quiet-temporal.ts';
import { seededRandom } from '../support/random.ts';
import type { Answer, Json } from '../support/send-request.ts';
import { isFull } from '../support/sizes.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';

/**
 * Every way in which the workflow of a job is lost, in every state of the job, with every request that may follow or none: the job
 * comes to its right end, is charged at most once, and no answer differs from the record. The short form tests a choice of states
 * and requests that depends on the seed.
 */
const gateway = gatewayForTests();
const given = givenIn(gateway);
const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.current.deps.database.pool.query(text, values)).rows;
const client = () => gateway.current.deps.temporal.client;

const modelNames = {
  ok: 'sim-ok',
  failing: 'sim-fail-400',
  brief: 'sim-slow-4000',
  running: 'sim-slow-60000-as-lost',
  streaming: 'sim-tokens-1000-every-100',
};
type Model = keyof typeof modelNames;

/** A job in some state, and the requests that wait for an answer. */
interface Situation {
  jobId: string;
  waiting: Promise<Answer>[];
}

/** The job type of single-call jobs that cannot be settled until `release`. */
const held = 'held';
const hold = () =>
  sql(`create or replace function hold() returns trigger language plpgsql as $$ begin raise exception 'held'; end $$;
       create or replace trigger hold before update on jobs for each row
         when (old.job_type = '${held}' and new.completed_at is not null) execute function hold()`);
const release = () => sql('drop trigger hold on jobs');

const callsOf = (jobId: string): Promise<Json[]> =>
  sql('select call_id, status, error, first_token_at, finished_at from calls where job_id = $1 order by position', [
    jobId,
  ]);
const callIsRunning = async (jobId: string) => (await callsOf(jobId))[0]?.status === 'running';
const tokenIsShown = async (jobId: string) => (await callsOf(jobId))[0]?.first_token_at !== null;
const callHasEnded = async (jobId: string) => (await callsOf(jobId))[0]?.finished_at !== null;

async function runningCall(team: GivenTeam): Promise<Situation> {
  const jobId = await given.job(team);
  const answer = as(gateway, team).call(jobId);
  await until(() => callIsRunning(jobId));
  return { jobId, waiting: [answer] };
}

async function singleCall(
  team: GivenTeam,
  fields: object,
  isReached: (jobId: string) => Promise<boolean>,
  by: 'single' | 'singleStream' = 'single',
): Promise<Situation> {
  const external_task_id = unique('task');
  const answer = as(gateway, team)[by]({ ...fields, external_task_id });
  const { job_id } = await until(
    async () => (await sql('select job_id from jobs where external_task_id = $1', [external_task_id]))[0],
  );
  await until(() => isReached(job_id));
  return { jobId: job_id, waiting: [answer] };
}

interface State {
  model: Model;
  prepare(team: GivenTeam): Promise<Situation>;
}

const states: Record<string, State> = {
  'has no call': { model: 'ok', prepare: async (team) => ({ jobId: await given.job(team), waiting: [] }) },
  'has a queued call': {
    model: 'ok',
    async prepare(team) {
      const jobId = await given.job(team);
      await insertUnsentCall(gateway.current, team, jobId, { streamed: false });
      return { jobId, waiting: [] };
    },
  },
  'has a running call': { model: 'running', prepare: runningCall },
  'has an answered call': {
    model: 'ok',
    async prepare(team) {
      const jobId = await given.job(team);
      expectOk(await as(gateway, team).call(jobId));
      return { jobId, waiting: [] };
    },
  },
  'waits for its call to be completed': {
    model: 'running',
    async prepare(team) {
      const { jobId, waiting } = await runningCall(team);
      const completion = as(gateway, team).complete(jobId);
      await untilClosing(gateway, team, jobId);
      return { jobId, waiting: [...waiting, completion] };
    },
  },
  'is a single-call job whose call runs': { model: 'running', prepare: (team) => singleCall(team, {}, callIsRunning) },
  'is a single-call job whose streamed call has shown a token': {
    model: 'streaming',
    prepare: (team) => singleCall(team, {}, tokenIsShown, 'singleStream'),
  },
  'is a single-call job whose call succeeded': {
    model: 'ok',
    prepare: (team) => singleCall(team, { job_type: held }, callHasEnded),
  },
  'is a single-call job whose streamed call succeeded': {
    model: 'ok',
    prepare: (team) => singleCall(team, { job_type: held }, callHasEnded, 'singleStream'),
  },
  'is a single-call job that was updated before its call succeeded': {
    model: 'brief',
    async prepare(team) {
      const situation = await singleCall(team, { job_type: held }, callIsRunning);
      const path = `/api/jobs/${situation.jobId}/metadata`;
      expectOk(await as(gateway, team).patch(path, { metadata: { early: true } }));
      await until(() => callHasEnded(situation.jobId));
      return situation;
    },
  },
  'is a single-call job whose call failed': {
    model: 'failing',
    prepare: (team) => singleCall(team, { job_type: held }, callHasEnded),
  },
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
  // Its call ends with an error in any case; a cancel or a completion may come before that.
  if (state.endsWith('shown a token')) return { credit_applied: false };
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
  else if (text.startsWith('data:')) expect(text.includes('"error"')).toBe(call.status !== 'succeeded');
  else if (call) expect([status, call.status]).toEqual([200, 'succeeded']);
  else if (body.metadata) expect([status, ended.metadata]).toEqual([200, body.metadata]);
  else expect([status, body.status]).toEqual([200, ended.status]);
}

type Pair = { state: string; request: string };

interface Case extends Pair {
  team: GivenTeam;
  jobId: string;
  waiting: Promise<Answer>[];
}

/** A job for each of the pairs of a state and a request, recorded some time ago. */
async function prepareCases(pairs: Pair[]): Promise<Case[]> {
  const entries = Object.entries(modelNames).map(async ([model, name]) => {
    const team = await given.team({ credits: 100, models: [name] });
    return [model, team];
  });
  const teams: Record<Model, GivenTeam> = Object.fromEntries(await Promise.all(entries));
  const cases = pairs.map(async ({ state, request }) => {
    const { model, prepare } = states[state]!;
    const team = teams[model];
    return { state, request, team, ...(await prepare(team)) };
  });
  const prepared = await Promise.all(cases);
  await sql(`update jobs set created_at = created_at - interval '1 minute' where completed_at is null`);
  await sql(`update calls set created_at = created_at - interval '1 minute' where finished_at is null`);
  // The search for calls without a signal has passed these.
  await advanceCursor(gateway.current.deps.database, 'unsent calls', new Date());
  return prepared;
}

/** A client repeats a request that is answered 503. */
async function answerOf({ request, team, jobId }: Case): Promise<Answer | undefined> {
  const send = requests[request]!;
  const isFinal = (answer: Answer | undefined) => answer?.status !== 503;
  return until(async () => send(team, jobId), isFinal);
}

async function maintainUntilEnded(cases: Case[]): Promise<void> {
  const jobIds = cases.map(({ jobId }) => jobId);
  const openJobs = () => sql('select 1 from jobs where job_id = any ($1) and completed_at is null', [jobIds]);
  const hasEnded = async () => {
    await maintain(gateway.current);
    return (await openJobs()).length === 0;
  };
  await until(hasEnded, Boolean, 60_000);
}

async function expectToRunAndComplete(one: Case): Promise<void> {
  const { status } = await client().workflow.getHandle(workflowId.job(one.jobId)).describe();
  expect(status.name).toBe('RUNNING');
  expectOk((await answerOf({ ...one, request: 'a completion' }))!);
}

async function expectEnd({ state, request, team, jobId, waiting }: Case, answer: Answer | undefined, end: object) {
  const ended = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`));
  const calls = await callsOf(jobId);
  expect({ state, request, ...ended }).toMatchObject({ state, request, ...end });
  for (const waited of await Promise.all(waiting)) expectToAgree(waited, ended, calls, true);
  if (answer) expectToAgree(answer, ended, calls, false);
}

/** The ways of one kind differ in what Temporal reports, not in what follows: one of each kind is tried with every request. */
function pairsFor(way: string): Pair[] {
  const isTriedWithAll = ['was terminated', 'was deleted'].includes(way);
  const after = isTriedWithAll ? Object.keys(requests) : ['nothing', 'a completion'];
  const pairs = Object.keys(states).flatMap((state) => after.map((request) => ({ state, request })));
  return isFull ? pairs : seededRandom(jest.getSeed(), way).some(pairs, isTriedWithAll ? 18 : 8);
}

beforeEach(() => gateway.current.simulator.clearScripts());

test.each(Object.entries({ ...terminations, ...disappearances }))(
  `a job whose workflow %s has the right end for ${isFull ? 'each state' : 'some states'}, after a request and without one (spec 3.18)`,
  async (way, lose) => {
    await hold();
    const cases = await prepareCases(pairsFor(way));
    const endOf = ({ state, request }: Case) => expectedEnd(Object.hasOwn(terminations, way), state, request);
    const open = cases.filter((one) => !endOf(one));

    gateway.current.simulator.script(modelNames.running, 'sim-ok', cases.length);
    await Promise.all(cases.map(({ jobId }) => lose(client(), workflowId.job(jobId))));
    await release();
    const answers = await Promise.all(cases.map(answerOf));
    await maintainUntilEnded(cases.filter((one) => endOf(one)));
    for (const one of open) await expectToRunAndComplete(one);

    for (const [index, one] of cases.entries()) await expectEnd(one, answers[index], endOf(one) ?? completed);
    const [{ charged, used }] = await sql(`
      select (select count(*)::int from jobs where credit_applied) as charged,
             (select sum(credits_used)::int from credit_accounts) as used`);
    expect(used).toBe(charged);
    expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
  },
  180_000,
);
