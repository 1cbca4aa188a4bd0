import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { chatWith, joined } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const withKey = () => ({ 'idempotency-key': unique('key') });
const remaining = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_remaining;

test.each([false, true])(
  'a repetition with the same key has the same answer and one credit (streamed: %p) (spec 17.25)',
  async (stream) => {
    const team = await given.team({ credits: 5 });
    const key = withKey();

    const first = await chatWith(gateway, team)({ stream, top_k: 1 }, key);
    const second = await chatWith(gateway, team)({ stream, top_k: 1 }, key);

    expect([first.status, second.status]).toEqual([200, 200]);
    if (stream) expect(joined(second)).toEqual(joined(first));
    else expect(second.text).toBe(first.text);
    for (const name of ['x-job-id', 'x-call-id', 'x-ignored-fields'])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(second.headers.get('x-ratelimit-limit-requests')).toBeNull();
    expect(await remaining(team)).toBe(4);
  },
);

test.each<[string, object, Record<string, string>]>([
  ['body', { seed: 2 }, {}],
  ['X-Job-Type', {}, { 'x-job-type': 'other' }],
  ['X-Call-Purpose', {}, { 'x-call-purpose': 'other' }],
])('another %s under the same key is refused', async (_, fields, headers) => {
  const team = await given.team({ credits: 5 });
  const key = withKey();
  expectOk(await chatWith(gateway, team)({}, key));

  const answer = await chatWith(gateway, team)({ ...fields }, { ...key, ...headers });

  expect([answer.status, answer.body.error]).toMatchObject([
    400,
    { param: 'idempotency-key', code: 'idempotency_key_reused' },
  ]);
  expect(await remaining(team)).toBe(4);
});

test('the job that a header names is a part of the request that an Idempotency-Key identifies (spec 17.25)', async () => {
  const team = await given.team();
  const [job, other] = [await given.job(team), await given.job(team)];
  const key = withKey();
  expectOk(await chatWith(gateway, team)({}, { ...key, 'x-job-id': job }));

  const answer = await chatWith(gateway, team)({}, { ...key, 'x-job-id': other });

  expect(answer.body.error.code).toBe('idempotency_key_reused');
  expect(expectOk(await as(gateway, team).complete(other)).costs.total_calls).toBe(0);
});

test.each<[string, string[], number]>([
  ['502', ['sim-fail-503-once'], 502],
  ['503 of a rate limit', ['sim-fail-429-once'], 503],
  ['504', ['sim-fail-504-once'], 504],
  ['400 of the upstream', ['sim-overflow-code-once'], 400],
])('a %s is stored with its key: the call was made, and is not made again (spec 17.25)', async (_, [model], status) => {
  const name = `${model}-as-${unique('stored')}`;
  const team = await given.team({ models: [name], credits: 5 });
  const key = withKey();

  const first = await chatWith(gateway, team)({}, key);
  const second = await chatWith(gateway, team)({}, key);
  const fresh = await chatWith(gateway, team)();

  expect([first.status, second.status, fresh.status]).toEqual([status, status, 200]);
  expect(second.text).toBe(first.text);
  expect([first, second].map(({ headers }) => headers.get('x-should-retry'))).toEqual(['false', 'false']);
  expect(gateway.current.simulator.requestsFor({ model: name })).toHaveLength(2);
  expect(await remaining(team)).toBe(4);
});

test('a refusal before a call was made is not stored (spec 17.25)', async () => {
  const team = await given.team({ credits: 5 });
  const other = await given.modelGroup();
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job));
  const [keyOfModel, keyOfJob, keyOfQuota] = [withKey(), withKey(), withKey()];

  const refused = [
    await chatWith(gateway, team)({ model: other }, keyOfModel),
    await chatWith(gateway, team)({}, { ...keyOfJob, 'x-job-id': job }),
  ];
  await given.admin('put', `/api/teams/${team.teamId}`, { rpm_limit: 1 });
  const limited = await chatWith(gateway, team)({}, keyOfQuota);
  await given.admin('put', `/api/teams/${team.teamId}`, { rpm_limit: 1_000 });
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [team.modelGroup, other] });

  expect(refused.map(({ status }) => status)).toEqual([404, 400]);
  for (const { headers } of refused) expect(headers.get('idempotent-replayed')).toBeNull();
  expect(limited.status).toBe(429);
  expect((await chatWith(gateway, team)({ model: other }, keyOfModel)).status).toBe(200);
  expect((await chatWith(gateway, team)({}, keyOfJob)).status).toBe(200);
  expect((await chatWith(gateway, team)({}, keyOfQuota)).status).toBe(200);
});

test('twenty requests at once with one key are one call and one credit', async () => {
  const model = `sim-slow-300-as-${unique('at-once')}`;
  const team = await given.team({ models: [model], credits: 5 });
  const key = withKey();

  // One that has waited for two seconds is answered 409, on a loaded machine, and repeats its request.
  const send = () =>
    until(
      () => chatWith(gateway, team)({}, key),
      ({ status }) => status !== 409,
    );

  const answers = await Promise.all(Array.from({ length: 20 }, send));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(await remaining(team)).toBe(4);
});

test('a failed call that is repeated without a key is a new job, and only the one that succeeds is charged (spec 17.26)', async () => {
  const team = await given.team({ models: [`sim-fail-503-once-as-${unique('retry')}`], credits: 5 });

  const answers = [
    await chatWith(gateway, team)(),
    await chatWith(gateway, team)({}, { 'x-stainless-retry-count': '1' }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([502, 200]);
  expect(answers[0]!.headers.get('x-job-id')).not.toBe(answers[1]!.headers.get('x-job-id'));
  expect(await remaining(team)).toBe(4);
});
