import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { as, expectOk, type GivenTeam, givenIn, singleCallBody } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { closeReceivers, type Receiver, startReceiver } from '../webhook-delivery/receiver.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const calls = sized({ short: 20, full: 300 });
const kills = sized({ short: 3, full: 20 });
/** A team has 100 places in a process. */
const inFlight = sized({ short: 20, full: 60 });

const installation = installationForTests({ workers: 2, settings: { WEBHOOK_DELIVERIES_PER_MINUTE: '100000' } });
const given = givenIn(installation);
const asynchronously = { prefer: 'respond-async' };

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(closeReceivers);

async function givenTeam(model: string): Promise<GivenTeam> {
  const team = await given.team({ credits: 10_000, models: [model] });
  const events = ['call.completed', 'call.failed'];
  const body = { team_id: team.teamId, webhook_url: `${receiver.url}/hook`, events };
  expectOk(await as(installation, team).post('/api/webhooks/register', body));
  return team;
}

const bodyOf = (team: GivenTeam, prompt: string) =>
  singleCallBody(team, { messages: [{ role: 'user', content: prompt }] });

/** A call whose client has its 202. */
interface Accepted {
  prompt: string;
  job_id: string;
  call_id: string;
}

/** Reads the call until it has ended, over all outages of the api. */
async function readEnd(team: GivenTeam, { job_id, call_id }: Accepted) {
  const path = `/api/jobs/${job_id}/calls/${call_id}?include=response&wait=20`;
  const read = () => sendRequest(installation.current.url, 'get', path, { key: team.key }).catch(() => undefined);
  const answer = await until(read, (one) => one?.body?.finished_at != null, 150_000);
  return expectOk(answer!);
}

/** Each call has succeeded with its answer, is charged once, and has one event, which arrives under one id. */
async function expectEndedOnce(team: GivenTeam, accepted: Accepted[]): Promise<void> {
  const { checker, pool } = installation.current;
  const ends = await Promise.all(accepted.map((one) => readEnd(team, one)));
  for (const [index, { prompt }] of accepted.entries())
    expect(ends[index]).toMatchObject({ status: 'succeeded', response: { content: prompt } });
  const ids = accepted.map(({ call_id }) => call_id).sort();
  const received = () => receiver.requests.map(({ body }) => JSON.parse(body));
  await until(() => new Set(received().map(({ data }) => data.call_id)).size === ids.length, Boolean, 60_000);
  expect(new Set(received().map(({ event }) => event))).toEqual(new Set(['call.completed']));
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length);
  const { rows } = await pool.query('select call_id from calls where team_id = $1 order by call_id', [team.teamId]);
  expect(rows.map(({ call_id }) => call_id)).toEqual(ids);
  const { credits_used } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
  expect(credits_used).toBe(ids.length);
  expect(await checker.conclude()).toEqual([]);
}

test(
  'calls whose api is killed right after their 202 are made once, charged once and published once (spec 26.3, spec 26.6, money 5.3)',
  async () => {
    const { apis, simulator } = installation.current;
    const random = seededRandom(jest.getSeed(), 'asynchronous calls');
    const team = await givenTeam('sim-echo-slow-400');
    const client = new RetryingClient(installation.current, team);
    const killedAt = new Set(
      Array.from({ length: kills }, (_, kill) => Math.floor(((kill + 1) * calls) / (kills + 1))),
    );
    let answered = 0;

    const accepted = await repeat(calls, 4, async (): Promise<Accepted> => {
      const prompt = somePrompt();
      const answer = await client.sendUntilAnswered(
        '/api/jobs/create-and-call',
        bodyOf(team, prompt),
        randomUUID(),
        asynchronously,
      );
      answered += 1;
      if (killedAt.has(answered)) {
        await apis[0]!.ready();
        await pause(random.between(0, 20));
        apis[0]!.kill();
      }
      expect(answer.status).toBe(202);
      return { prompt, ...answer.body };
    });

    await expectEndedOnce(team, accepted);
    expect(simulator.counts().paths['/chat/completions']).toBe(calls);
    expect(apis[0]!.kills).toBe(kills);
    figures('api killed after 202s', {
      'calls, kills': `${calls}, ${kills}`,
      statuses: JSON.stringify(client.statuses),
    });
  },
  minutes(3, 10),
);

test(
  'calls with a 202 outlive the death of every worker: each succeeds when workers are back, is charged once and published once (spec 26.3, spec 26.6, money 5.3)',
  async () => {
    const { workers, pool } = installation.current;
    const team = await givenTeam('sim-echo-slow-2500');
    const send = async (): Promise<{ prompt: string; answer: Answer }> => {
      const prompt = somePrompt();
      const answer = await as(installation, team).post(
        '/api/jobs/create-and-call',
        bodyOf(team, prompt),
        asynchronously,
      );
      return { prompt, answer };
    };
    const running = await repeat(inFlight, 10, send);
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    // Their death is noticed after two seconds. What is accepted until then waits for a worker, too.
    const queued: typeof running = [];
    await until(async () => {
      queued.push(await send());
      return queued.at(-1)!.answer.status === 503;
    });
    await Promise.all(workers.map((worker) => worker.start()));
    await installation.current.ready();

    const all = [...running, ...queued];
    expect(running.map(({ answer }) => answer.status)).toEqual(running.map(() => 202));
    expect(new Set(queued.map(({ answer }) => answer.status))).toEqual(new Set([202, 503]));
    const accepted = all
      .filter(({ answer }) => answer.status === 202)
      .map(({ prompt, answer }) => ({ prompt, ...answer.body }));
    await expectEndedOnce(team, accepted);
    const { rows } = await pool.query(
      `select count(*)::int as interrupted from call_attempts a join calls c using (call_id) where c.team_id = $1 and a.outcome = 'interrupted'`,
      [team.teamId],
    );
    figures('every worker killed after 202s', {
      'calls accepted before, after': `${running.length}, ${accepted.length - running.length}`,
      'attempts that were interrupted': `${rows[0].interrupted}`,
    });
  },
  minutes(3, 5),
);
