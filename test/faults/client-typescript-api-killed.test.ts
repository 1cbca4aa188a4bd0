import type { Job, JobGateway } from '../../clients/typescript/src/index.ts';
import { clientOf, creditsUsed, messages } from '../client-typescript/support.ts';
import { openRelay } from '../clients/support/relay.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { until } from '../support/until.ts';
import { untilRequested } from '../support/until-requested.ts';

/** An api is killed under the client's requests. A balancer has another api for the next ones. */
const gateway = gatewayForTests();
const given = givenIn(gateway);
let killed: ApiProcess | undefined;
const relay = openedForTests(() => openRelay(() => killed?.url ?? gateway.current.url));

interface Situation {
  jobs: JobGateway['jobs'];
  job: Job;
  team: GivenTeam;
}

type Operation = (situation: Situation) => Promise<{ response: { content: string; finish_reason: string } }>;

const single = ({ team }: Situation) => ({ job_type: 'report', model: team.modelGroup, messages });
const inJob = ({ team }: Situation) => ({ model_group: team.modelGroup, messages });

/** The text is that of the pieces, not of what the client has put together. */
async function read(stream: ReturnType<Job['stream']>) {
  let content = '';
  for await (const piece of stream) content += piece;
  const { response } = await stream.finalResponse();
  expect(response.content).toBe(content);
  return { response };
}

const operations: Record<string, Operation> = {
  call: (situation) => situation.job.call(inJob(situation)),
  stream: (situation) => read(situation.job.stream(inJob(situation))),
  createAndCall: (situation) => situation.jobs.createAndCall(single(situation)),
  createAndStreamCall: (situation) => read(situation.jobs.createAndStreamCall(single(situation))),
  'call in the background': async (situation) => {
    const call = await situation.job.call({ ...inJob(situation), background: true });
    const [waited, { response }] = await Promise.all([call.wait(), read(call.stream())]);
    expect(waited.response).toEqual(response);
    return waited;
  },
};

test.each(Object.entries(operations))(
  'an api that is killed in the middle of %s: the answer is whole, made once and charged once (clients 4, clients 5)',
  async (name, operate) => {
    const isStream = name.includes('tream');
    const model = `sim-${isStream ? '' : 'slow-4000-'}tokens-80-every-40-as-${unique('client')}`;
    const team = await given.team({ models: [model] });
    const { jobs } = clientOf(team, relay.current.url);
    const job = await jobs.create({ job_type: 'report' });
    relay.current.answered = '';
    killed = await startApiProcess(gateway.current);

    const answering = operate({ jobs, job, team });
    answering.catch(() => undefined);
    await untilRequested(gateway, model);
    if (isStream) await until(() => relay.current.answered.split('"delta":{"content"').length > 3);
    const dying = killed;
    killed = undefined;
    await dying.kill();
    const { response } = await answering;
    await job.complete();

    const all = await jobs.list().toArray();
    const calls = (await Promise.all(all.map((one) => one.calls.list().toArray()))).flat();
    const called = all.find(({ total_calls }) => total_calls > 0);
    const recorded = await called!.calls.retrieve(calls[0]!.call_id, { include: 'response' });
    expect(response).toEqual({ content: (recorded.response as { content: string }).content, finish_reason: 'stop' });
    expect(calls).toMatchObject([{ status: 'succeeded' }]);
    expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
    expect(all.filter(({ credit_applied }) => credit_applied)).toHaveLength(await creditsUsed(gateway, team));
    expect(called).toMatchObject({ status: 'completed', credit_applied: true, total_calls: 1 });
  },
);

test.each([
  ['created', 1],
  ['completed', 3],
])('an api that is killed before the answer that a job was %s: one job, one credit (clients 4)', async (_, request) => {
  const team = await given.team();
  const { jobs } = clientOf(team, relay.current.url);
  const dying = await startApiProcess(gateway.current);
  killed = dying;
  relay.current.requests.length = 0;
  relay.current.onAnswer = async () => {
    if (!killed || relay.current.requests.length < request) return undefined;
    killed = undefined;
    await dying.kill();
    return 'cut';
  };

  const job = await jobs.create({ job_type: 'report' });
  await job.call({ model_group: team.modelGroup, messages });
  const { costs } = await job.complete();

  expect(relay.current.requests).toHaveLength(4);
  expect(costs).toMatchObject({ total_calls: 1, credit_applied: true });
  expect(await jobs.list().toArray()).toHaveLength(1);
  expect(await creditsUsed(gateway, team)).toBe(1);
});

test('the only api is killed and starts again: a stream waits for it and goes on (clients 4, clients 5)', async () => {
  const model = `sim-tokens-80-every-40-as-${unique('client')}`;
  const team = await given.team({ models: [model] });
  const first = await startApiProcess(gateway.current);
  const { jobs } = clientOf(team, first.url);
  const reading = read(jobs.createAndStreamCall({ job_type: 'report', model: team.modelGroup, messages }));
  reading.catch(() => undefined);
  await untilRequested(gateway, model);
  await first.kill();
  const second = await startApiProcess(gateway.current, { PORT: new URL(first.url).port });
  try {
    const { response } = await reading;

    const [job] = await jobs.list().toArray();
    const [call] = await job!.calls.list().toArray();
    const recorded = await job!.calls.retrieve(call!.call_id, { include: 'response' });
    expect(response.content).toBe((recorded.response as { content: string }).content);
    expect(job).toMatchObject({ status: 'completed', credit_applied: true, total_calls: 1 });
    expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  } finally {
    await second.end();
  }
});
