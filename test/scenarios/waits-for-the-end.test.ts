import { workflowId } from '../../src/domain/ids.ts';
import { createBound } from '../../src/holders/bound.ts';
import { teamHolder } from '../../src/holders/holder.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { untilClosing } from '../support/until-closing.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests({ settings: { MAX_WAITING_JOB_ENDS: '1' } });
const given = givenIn(gateway);

/** The signals of a job's workflow that end it. */
async function endSignals(job: string): Promise<string[]> {
  const { events } = await gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job)).fetchHistory();
  const names = events!.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
  return names.filter((name) => name === 'complete' || name === 'cancel') as string[];
}

/** An open job with a call that hangs. */
async function givenHanging(model: string, existing?: GivenTeam) {
  const team = existing ?? (await given.team({ models: [model], credits: 100 }));
  const job = await given.job(team);
  const before = gateway.current.simulator.requestsFor({ model }).length;
  const call = as(gateway, team).call(job);
  await untilRequested(gateway, model, before + 1);
  return { team, job, call };
}

/** A completion whose client can leave. */
function completeUntilLeft(team: GivenTeam, job: string) {
  const leaving = new AbortController();
  const answer = fetch(`${gateway.current.url}/api/jobs/${job}/complete`, {
    method: 'post',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'completed' }),
    signal: leaving.signal,
  });
  answer.catch(() => undefined);
  return { answer, leave: () => leaving.abort() };
}

const isFull = ({ teamId }: GivenTeam): Promise<boolean> =>
  gateway.current.deps.measures.places.endWaits
    .acquire(teamHolder(teamId), { waitSignal: AbortSignal.abort() })
    .then((release) => {
      release();
      return false;
    })
    .catch(() => true);

test('equal completions that wait for a call at the same time send one signal and get the same answer (spec 3.15)', async () => {
  const { team, job, call } = await givenHanging('sim-slow-5000-as-joined');
  const first = as(gateway, team).complete(job);
  await untilClosing(gateway, team, job);

  const others = await Promise.all(Array.from({ length: 5 }, () => as(gateway, team).complete(job)));

  const outcome = expectOk(await first);
  expect(outcome).toMatchObject({ status: 'completed', costs: { total_calls: 1, credit_applied: true } });
  expect(others.map(expectOk)).toEqual(Array.from({ length: 5 }, () => outcome));
  expect(await endSignals(job)).toEqual(['complete']);
  expectOk(await call);
});

test('a client that leaves its completion and sends it again writes no other signal', async () => {
  const { team, job } = await givenHanging('sim-slow-60000-as-left');
  const first = completeUntilLeft(team, job);
  await untilClosing(gateway, team, job);
  first.leave();
  const back = as(gateway, team).complete(job);
  await until(() => isFull(team));

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(await back).toMatchObject({ status: 409, body: { detail: 'Job is already cancelled' } });
  expect(await endSignals(job)).toEqual(['complete', 'cancel']);
});

test('of two completions at once the one with too much metadata does not refuse the other (spec 3.4)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const tooLarge = { metadata: { text: 'x'.repeat(10_240) } };

  const [refused, accepted] = await Promise.all([
    as(gateway, team).complete(job, 'completed', tooLarge),
    as(gateway, team).complete(job, 'completed', { metadata: { kept: true } }),
  ]);

  // The first of the two is decided alone: if it is the large one, it is refused, or else it repeats the other.
  expect([200, 422]).toContain(refused.status);
  expect(expectOk(accepted).status).toBe('completed');
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).metadata).toEqual({ kept: true });
});

test('while all places of a team wait for hanging calls, its other jobs end and are answered, and a client that leaves frees its place', async () => {
  const model = 'sim-slow-60000-as-all-places';
  const { team, job } = await givenHanging(model);
  const waiting = completeUntilLeft(team, job);
  await until(() => isFull(team));

  const hanging = await givenHanging(model, team);
  const queued = as(gateway, team).complete(hanging.job);
  const ended = expectOk(await as(gateway, team).complete(await given.job(team)));
  await untilClosing(gateway, team, hanging.job);
  waiting.leave();
  await expect(waiting.answer).rejects.toThrow();
  expectOk(await as(gateway, team).post(`/api/jobs/${hanging.job}/cancel`));

  expect(ended.status).toBe('completed');
  expect(await queued).toMatchObject({ status: 409, body: { detail: 'Job is already cancelled' } });
  await until(async () => !(await isFull(team)));
  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
});

test('a completion beyond all that may wait is a 429 that names the bound, and its job ends nevertheless (spec 3.15)', async () => {
  const { places } = gateway.current.deps.measures;
  const { endWaits } = places;
  places.endWaits = createBound({ name: 'MAX_WAITING_JOB_ENDS', perKey: 1, waiting: 0 });
  const model = 'sim-slow-8000-as-beyond';
  const { team, job } = await givenHanging(model);
  const release = await places.endWaits.acquire(teamHolder(team.teamId));

  const refused = await as(gateway, team).complete(job);
  release();
  const repeated = await as(gateway, team).complete(job);
  places.endWaits = endWaits;

  expect(refused).toMatchObject({
    status: 429,
    body: {
      detail:
        'Rate limit exceeded: MAX_WAITING_JOB_ENDS (1). The command takes effect; repeat the request to receive its result',
    },
  });
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(expectOk(repeated)).toMatchObject({ status: 'completed', costs: { credit_applied: true } });
  expect(await endSignals(job)).toEqual(['complete']);
});

test('the completion of a job of more than 100 calls shows the first 100 and the number of all, however often it is repeated (spec 3.13)', async () => {
  const { pool } = gateway.current.deps.database;
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  expectOk(await as(gateway, team).complete(job));
  await pool.query(
    `insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed, status, finished_at, recorded_at)
     select gen_random_uuid(), $1, $2, 'chat', '[]', 'gpt', false, 'succeeded', now(), now() from generate_series(1, 101)`,
    [job, team.teamId],
  );
  await pool.query('update jobs set total_calls = 102 where job_id = $1', [job]);

  const repeated = expectOk(await as(gateway, team).complete(job));

  expect(repeated.calls.length).toBe(100);
  expect(repeated.costs.total_calls).toBe(102);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).breakdown.length).toBe(102);
});
