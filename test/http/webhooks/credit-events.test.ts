import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, type TeamOptions } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(closeReceivers);

const creditEvents = ['credits.threshold', 'credits.exhausted'];

/** A team with a webhook for these events. */
async function givenTeam(options: TeamOptions, events = creditEvents): Promise<GivenTeam> {
  const team = await given.team(options);
  const body = { team_id: team.teamId, webhook_url: `${receiver.url}/hook`, events };
  expectOk(await as(gateway, team).post('/api/webhooks/register', body));
  return team;
}

const completed = async (team: GivenTeam): Promise<string> => {
  const jobId = await given.job(team);
  expectOk(await as(gateway, team).complete(jobId));
  return jobId;
};

const change = (team: GivenTeam, what: string, body: object) =>
  given.admin('post', `/api/teams/${team.teamId}/credits/${what}`, body);

const adjust = (team: GivenTeam, credits_amount: number) =>
  change(team, 'adjust', { credits_amount, reason: 'correction' });

const create = (team: GivenTeam) =>
  as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' });

/** The events in the record, the oldest first. */
const recorded = async (team: GivenTeam) => {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select d.job_id, d.body::jsonb as body from webhook_deliveries d join webhooks w using (webhook_id)
      where w.team_id = $1 and d.event like 'credits.%' order by d.body::jsonb ->> 'timestamp', d.body::jsonb -> 'data' -> 'threshold' desc`,
    [team.teamId],
  );
  return rows.map(({ job_id, body }) => ({ ...body, record: job_id }));
};

const brief = async (team: GivenTeam) =>
  (await recorded(team)).map(({ event, data }) =>
    event === 'credits.threshold' ? data.threshold : `${data.reason} at ${data.credits_remaining}`,
  );

test('a charge that takes the balance to a threshold is published once to a webhook that names the event, with its transaction (spec 22.1, spec 22.3)', async () => {
  const team = await givenTeam({ credits: 4, credit_thresholds: [2, -1, 2] });
  await completed(team);
  const jobId = await completed(team);
  await completed(team);

  await until(() => receiver.requests.length > 0);

  const { transactions } = await as(gateway, team).get(`/api/credits/transactions`).then(expectOk);
  const { transaction_id } = transactions.find(({ job_id }: { job_id: string }) => job_id === jobId);
  const data = { threshold: 2, credits_remaining: 2, transaction_id, transaction_type: 'deduction' };
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const event = { event: 'credits.threshold', job_id: jobId, team_id: team.teamId, timestamp, data };
  expect(receiver.requests.map(({ body }) => JSON.parse(body))).toEqual([event]);
  expect(await recorded(team)).toEqual([{ ...event, record: jobId }]);
});

test('an adjustment over several thresholds of an unlimited budget is published once for each, without a job, and again after the balance rose (spec 22.1)', async () => {
  const team = await givenTeam({ credits: 10, credit_limit: null, credit_thresholds: [5, 0, -5] });

  await adjust(team, -10);
  await adjust(team, -5);
  await adjust(team, 11);
  await adjust(team, -1);

  expect(await brief(team)).toEqual([5, 0, -5, 5]);
  expect((await recorded(team))[0]).toMatchObject({ job_id: null, data: { transaction_type: 'adjustment' } });
  await until(() => receiver.requests.length === 4);
});

test('150 completions at once across a threshold publish it once (spec 22.1)', async () => {
  const team = await givenTeam({ credits: 200, credit_thresholds: [100] });
  const jobs = await Promise.all(Array.from({ length: 150 }, () => given.job(team)));

  await Promise.all(jobs.map(async (jobId) => expectOk(await as(gateway, team).complete(jobId))));

  expect(await brief(team)).toEqual([100]);
});

test('a fixed budget whose balance falls below 1 is exhausted once, until the balance rises (spec 22.2)', async () => {
  const team = await givenTeam({ credits: 2 });
  await completed(team);
  const last = await completed(team);
  await completed(team);
  await change(team, 'allocate', { credits_amount: 1 });
  await completed(team);
  await change(team, 'refund', { job_id: last });
  await adjust(team, -1);

  expect(await brief(team)).toEqual(['balance at 0', 'balance at 0', 'balance at 0']);
  expect((await recorded(team))[0]).toMatchObject({
    event: 'credits.exhausted',
    job_id: last,
    data: { reason: 'balance', credits_remaining: 0, credits_available: 0 },
  });
  await until(() => receiver.requests.length === 3);
});

test('a job that the balance does not cover exhausts a fixed budget once, and the balance that falls below 1 later does not (spec 22.2)', async () => {
  const team = await givenTeam({ credits: 3, budget_mode: 'consumption_usd', credits_per_dollar: 1_000_000 });
  const uncharged = await given.job(team);
  await as(gateway, team).call(uncharged);
  expect(expectOk(await as(gateway, team).complete(uncharged))).toMatchObject({ costs: { credit_applied: false } });
  await adjust(team, -3);

  expect(await brief(team)).toEqual(['charge at 3']);
  expect((await recorded(team))[0]).toMatchObject({ job_id: uncharged });
  await until(() => receiver.requests.length === 1);
});

const refusals: [string, (team: GivenTeam) => Promise<{ status: number }>][] = [
  ['a job', create],
  ['a job with its call', (team) => as(gateway, team).single()],
  ['a job under /v1', (team) => as(gateway, team).post('/v1/chat/completions', chat(team))],
  [
    'a job of a task under /v1',
    (team) => as(gateway, team).post('/v1/chat/completions', { ...chat(team), user: 'task-1' }),
  ],
];
const chat = (team: GivenTeam) => ({ model: team.modelGroup, messages: hello });

test.each(refusals)(
  'the first refusal of %s for want of credits is published, a later one not (spec 22.2)',
  async (_, refused) => {
    const team = await givenTeam({ credits: 0, low_balance_policy: 'block', job_key_from: ['body:user'] });

    const answers = [await refused(team), await refused(team), await create(team)];

    expect(answers.map(({ status }) => status >= 400)).toEqual([true, true, true]);
    expect(await recorded(team)).toMatchObject([
      {
        event: 'credits.exhausted',
        job_id: null,
        data: { reason: 'creation', credits_remaining: 0, credits_available: 0 },
      },
    ]);
    await until(() => receiver.requests.length === 1);
  },
);

test('20 refusals at once publish one event, and a refusal after the balance rose and fell publishes none beside the fall (spec 22.2)', async () => {
  const team = await givenTeam({ credits: 0, low_balance_policy: 'block' });

  await Promise.all(Array.from({ length: 20 }, () => create(team)));
  await change(team, 'allocate', { credits_amount: 1 });
  await completed(team);
  await create(team);

  expect(await brief(team)).toEqual(['creation at 0', 'balance at 0']);
});

test('a call that is refused for its model, and a job of another team, do not exhaust credits (spec 22.2)', async () => {
  const team = await givenTeam({ credits: 0, low_balance_policy: 'block' });

  await as(gateway, team).post('/v1/chat/completions', { ...chat(team), model: 'no-such-model' });
  await as(gateway, team).post('/api/jobs/create', { team_id: 'another', job_type: 'report' });

  expect(await recorded(team)).toEqual([]);
});

test('webhooks for other events, and unlimited budgets, have no events of exhausted credits (spec 22, spec 22.2)', async () => {
  const ofJobs = await givenTeam({ credits: 1, credit_thresholds: [0] }, ['job.completed']);
  const unlimited = await givenTeam({ credits: 1, credit_limit: null });

  await completed(ofJobs);
  await completed(unlimited);
  await completed(unlimited);

  expect([await recorded(ofJobs), await recorded(unlimited)]).toEqual([[], []]);
});
