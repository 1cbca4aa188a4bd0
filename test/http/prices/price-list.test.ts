import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Json } from '../../support/send-request.ts';
import { setPrice } from './given-prices.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const ofAll = (type: string) => `/api/job-types/${encodeURIComponent(type)}`;
const ofTeam = ({ teamId }: GivenTeam, type: string) => `/api/teams/${teamId}/job-types/${encodeURIComponent(type)}`;
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const times = { created_at: isoTime, updated_at: isoTime };
const budget = { max_cost_usd: 0.25, max_calls: 3, deadline_grace_seconds: 5 };

test('a price is made, replaced as a whole, read and deleted, for all teams and for one (spec 21.9)', async () => {
  const team = await given.team();
  const type = unique('type');
  for (const [path, scope] of [
    [ofAll(type), 'platform'],
    [ofTeam(team, type), 'team'],
  ] as const) {
    const row = { credits: 5, billing_policy: 'completed', budget };

    expect(expectOk(await admin.put(path, row))).toEqual({ job_type: type, scope, ...row, ...times });
    expect(expectOk(await admin.get(path))).toEqual({ job_type: type, scope, ...row, ...times });
    expect(expectOk(await admin.put(path, { credits: 0 }))).toMatchObject({
      credits: 0,
      billing_policy: null,
      budget: null,
    });
    expect(expectOk(await admin.put(path, {}))).toMatchObject({ credits: null, billing_policy: null, budget: null });
  }
  expectOk(await admin.delete(ofTeam(team, type)));
  expect(expectOk(await admin.get(ofTeam(team, type))).scope).toBe('platform');
  expect(await admin.delete(ofTeam(team, type))).toMatchObject({
    status: 404,
    body: { detail: `Price of job type '${type}' not found`, code: 'price_not_found' },
  });
  expectOk(await admin.delete(ofAll(type)));
  for (const path of [ofAll(type), ofTeam(team, type)]) expect((await admin.get(path)).status).toBe(404);
  expect(await admin.delete(ofAll(type))).toMatchObject({ status: 404, body: { code: 'price_not_found' } });
});

test('a team reads with its key the row that holds for it, and changes none (spec 21.9)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const own = as(gateway, team);
  const [type, common] = [unique('type'), unique('type')];
  await setPrice(gateway, null, type, { credits: 2 });
  await setPrice(gateway, null, common, { credits: 3 });
  await setPrice(gateway, team.teamId, type, { billing_policy: 'answered' });

  expect(expectOk(await own.get(ofTeam(team, type)))).toMatchObject({
    scope: 'team',
    credits: null,
    billing_policy: 'answered',
  });
  expect(expectOk(await own.get(ofTeam(team, common)))).toMatchObject({ scope: 'platform', credits: 3 });
  const { total, job_types } = expectOk(await own.get(`/api/teams/${team.teamId}/job-types`));
  const shown = job_types.filter(({ job_type }: Json) => [type, common].includes(job_type));
  expect(shown.map(({ scope, credits }: Json) => [scope, credits]).sort()).toEqual([
    ['platform', 3],
    ['team', null],
  ]);
  expect(total).toBe(job_types.length);
  expect(expectOk(await as(gateway, other).get(ofTeam(other, type)))).toMatchObject({ scope: 'platform', credits: 2 });
  expect(await own.get(ofTeam(other, type))).toMatchObject({ status: 403, body: { code: 'key_of_another_team' } });
  expect((await own.get('/api/job-types')).status).toBe(401);
  expect((await own.delete(ofTeam(team, type))).status).toBe(401);
});

test('a price of a team that does not exist is a 404 (spec 21.9)', async () => {
  const team = { ...(await given.team()), teamId: unique('nobody') };
  const path = ofTeam(team, 'report');
  const answers = [
    ...[await admin.get(path), await admin.put(path, { credits: 2 }), await admin.delete(path)],
    await admin.get(`/api/teams/${team.teamId}/job-types`),
  ];

  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'team_not_found' } });
});

test.each([
  [{ credits: -1 }, ['credits'], 'greater_than_equal'],
  [{ credits: 1_000_001 }, ['credits'], 'less_than_equal'],
  [{ credits: 1.5 }, ['credits'], 'int_type'],
  [{ billing_policy: 'free' }, ['billing_policy'], 'literal_error'],
  [{ credit: 5 }, ['credit'], 'extra_forbidden'],
  [{ budget: { max_call: 5 } }, ['budget', 'max_call'], 'extra_forbidden'],
  [{ budget: { max_calls: 0 } }, ['budget', 'max_calls'], 'greater_than_equal'],
])('the row %j is refused with 422, and the row before stays (spec 21.9, money G2)', async (row, path, type) => {
  const team = await given.team();
  await setPrice(gateway, team.teamId, 'report', { credits: 4 });

  const { status, body } = await admin.put(ofTeam(team, 'report'), row);

  expect(status).toBe(422);
  expect(body.detail).toMatchObject([{ loc: ['body', ...path], type }]);
  expect(expectOk(await admin.get(ofTeam(team, 'report'))).credits).toBe(4);
});

test.each(['a/b', 'a//b/', ' ', 'ünï ✓', 'créate?x=1#y', '%2F', 'x'.repeat(255), '__proto__', 'two\nlines'])(
  'the job type %j has a price by its path, and a job of it costs that (spec 21.3, spec 21.9)',
  async (type) => {
    const team = await given.team();
    await setPrice(gateway, team.teamId, type, { credits: 2 });

    expect(expectOk(await admin.get(ofTeam(team, type)))).toMatchObject({ job_type: type, credits: 2 });
    const { costs } = expectOk(await as(gateway, team).complete(await given.job(team, { job_type: type })));
    expect(costs).toMatchObject({ credits_charged: 2 });
  },
);

test('price and policy of a job are, each by itself, those of the team’s row, the platform’s, its settings or the default (spec 21.3)', async () => {
  const type = unique('type');
  const team = await given.team({ credits: 100, billing_policy: 'completed' });
  const own = as(gateway, team);
  const termsOf = async () => {
    const job = await given.job(team, { job_type: type });
    expectOk(await own.complete(job));
    const { inputs } = expectOk(await own.get(`/api/jobs/${job}/timeline`)).verdict;
    return [inputs.price_credits, inputs.billing_policy];
  };

  expect(await termsOf()).toEqual([1, 'completed']);
  await setPrice(gateway, null, type, { credits: 2 });
  expect(await termsOf()).toEqual([2, 'completed']);
  await setPrice(gateway, team.teamId, type, { billing_policy: 'superseded_ok' });
  expect(await termsOf()).toEqual([2, 'superseded_ok']);
  await setPrice(gateway, team.teamId, type, { credits: 3 });
  expect(await termsOf()).toEqual([3, 'completed']);
  await setPrice(gateway, null, type, { credits: 2, billing_policy: 'answered' });
  expect(await termsOf()).toEqual([3, 'answered']);
  await setPrice(gateway, team.teamId, type, { credits: 1, billing_policy: 'strict' });
  expect(await termsOf()).toEqual([1, undefined]);
});

test.each([
  ['create-and-call', (team: GivenTeam) => as(gateway, team).single({ job_type: 'priced' })],
  ['create-and-call-stream', (team: GivenTeam) => as(gateway, team).singleStream({ job_type: 'priced' })],
  [
    '/v1/chat/completions',
    (team: GivenTeam) =>
      as(gateway, team).post(
        '/v1/chat/completions',
        { model: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] },
        { 'x-job-type': 'priced' },
      ),
  ],
  [
    '/v1/chat/completions of a task',
    (team: GivenTeam) =>
      as(gateway, team).post(
        '/v1/chat/completions',
        { model: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] },
        { 'x-job-type': 'priced', 'x-external-task-id': 'task', 'x-job-end': 'call' },
      ),
  ],
])('a job that %s makes costs the price of its type (spec 21.3)', async (_, send) => {
  const team = await given.team({ credits: 10 });
  await setPrice(gateway, team.teamId, 'priced', { credits: 4 });

  expectStatus(await send(team));

  expect((await as(gateway, team).credits()).credits_remaining).toBe(6);
});

const expectStatus = ({ status }: { status: number }) => expect(status).toBe(200);

test('prices are audited with what was set, and a list goes by pages (spec 21.9, spec 12.11)', async () => {
  const team = await given.team();
  const types = ['c', 'a', 'b'].map((name) => unique(name));
  for (const type of types) await setPrice(gateway, team.teamId, type, { credits: 2 });
  expectOk(await admin.delete(ofTeam(team, types[0]!)));

  const audited = await readAudit(gateway.current, types[0]!);
  expect(audited.map(({ action, details }: Json) => [action, details])).toEqual([
    ['deleted_price', { team_id: team.teamId }],
    ['updated_price', { team_id: team.teamId, credits: 2, billing_policy: null, budget: null }],
  ]);
  const path = `/api/teams/${team.teamId}/job-types?limit=1000&cursor=`;
  const { job_types, next_cursor } = expectOk(await as(gateway, team).get(path));
  const own = job_types.filter(({ scope }: Json) => scope === 'team').map(({ job_type }: Json) => job_type);
  expect([own, next_cursor]).toEqual([[types[1], types[2]], null]);
});

test('rows of one job type that are set at once are one row (spec 21.9)', async () => {
  const team = await given.team();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => admin.put(ofTeam(team, 'report'), { credits: at })),
  );

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { job_types } = expectOk(await as(gateway, team).get(`/api/teams/${team.teamId}/job-types?limit=1000`));
  expect(job_types.filter(({ job_type, scope }: Json) => job_type === 'report' && scope === 'team')).toHaveLength(1);
});
