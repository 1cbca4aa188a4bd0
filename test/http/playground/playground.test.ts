import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Answer } from '../../support/send-request.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from '../sessions/browser.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);

const teamId = 'gateway-playground';
const messages = [{ role: 'user', content: 'Hello' }];

const signedIn = async (role = 'admin'): Promise<Browser> => {
  const { email } = await admins.created({ role });
  return browser.signedIn({ email, password: goodPassword });
};

const run = ({ send }: Browser, fields: object): Promise<Answer> =>
  send('post', '/api/playground/run', { body: { messages, ...fields } });

/** The text of a stream, and the error in it. */
function readStream({ text }: Answer) {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  const chunks = events.map((line) => JSON.parse(line.slice('data: '.length)));
  return {
    content: chunks.map(({ choices }) => choices?.[0].delta.content ?? '').join(''),
    error: chunks.find(({ error }) => error)?.error,
    isDone: text.endsWith('data: [DONE]\n\n'),
  };
}

const jobOf = async ({ headers }: Answer) => expectOk(await admin.get(`/api/jobs/${headers.get('x-job-id')}`));
const account = async () => expectOk(await admin.get(`/api/teams/${teamId}`));

test('the first run makes the test account with its credits and limits, also of two at once (spec 32.1, spec 32.3)', async () => {
  const session = await signedIn();
  const group = await given.modelGroup();
  const before = expectOk(await session.get('/api/playground'));

  const further = await signedIn();
  const answers = await Promise.all([session, further].map((one) => run(one, { model: group })));

  expect(before).toEqual({ test_account: null });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await account()).toMatchObject({
    organization_id: teamId,
    is_test: true,
    low_balance_policy: 'block',
    usd_per_credit: 0,
    rpm_limit: 20,
    job_budget_defaults: { max_cost_usd: 1, max_tokens: 200_000 },
    credits: { credits_allocated: 100, credits_used: 2 },
  });
  expect(expectOk(await session.get('/api/playground')).test_account).toMatchObject({
    team_id: teamId,
    credits_remaining: 98,
  });
  const { teams } = expectOk(await admin.get('/api/teams?limit=1000'));
  expect(teams.filter(({ is_test }: { is_test: boolean }) => is_test)).toHaveLength(1);
});

test('a run is a single-call job with a charge, a record and an audit entry that names who made it (spec 32.2)', async () => {
  const session = await signedIn();
  const model = await given.modelGroup();

  const answer = await run(session, { model, max_tokens: 30 });
  const job = await jobOf(answer);

  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(readStream(answer)).toMatchObject({ content: expect.stringMatching(/\w/), error: undefined, isDone: true });
  expect(job).toMatchObject({
    team_id: teamId,
    job_type: 'playground',
    status: 'completed',
    user_id: session.session.user.user_id,
  });
  expect(expectOk(await admin.get(`/api/jobs/${job.job_id}/costs`)).costs).toMatchObject({ credit_applied: true });
  expect((await readAudit(gateway.current, teamId))[0]).toEqual({
    action: 'ran_playground',
    resource_type: 'team',
    user_id: session.session.user.user_id,
    details: { model, job_id: job.job_id },
  });
});

test.each(['sim-ok', 'sim-tokens-3'])(
  'a run of %s that is repeated with its Idempotency-Key is the run of before, and is charged once (spec 32.2)',
  async (concrete) => {
    const session = await signedIn();
    const body = { messages, model: await given.modelGroup([concrete]) };
    const headers = { 'idempotency-key': unique('run') };
    const once = () => session.send('post', '/api/playground/run', { body, headers });
    expectOk(await run(session, body));
    const before = (await account()).credits.credits_used;

    const [first, again] = [await once(), await once()];

    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
    expect(readStream(again)).toEqual(readStream(first));
    expect((await account()).credits.credits_used).toBe(before + 1);
  },
);

test('an alias is given to the test account by one of its access groups, and an unknown name is 404 (spec 32.2)', async () => {
  const session = await signedIn();
  const group = await given.accessGroup();
  const alias = await given.alias({ access_groups: [group] });

  const answers = [await run(session, { model: alias }), await run(session, { model: unique('nothing') })];

  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  expect((await account()).access_groups).toContain(group);
});

test('a run of a model without a known price is made within the cap of tokens (spec 32.2)', async () => {
  const session = await signedIn();
  const model = await given.modelGroup(['sim-tokens-3']);

  const answer = await run(session, { model });
  const { budget } = await jobOf(answer);

  expect(answer.status).toBe(200);
  expect(budget).toMatchObject({ max_cost_usd: null, max_tokens: 200_000 });
});

test('a run whose model fails says so in its stream, and is free (spec 32.2)', async () => {
  const session = await signedIn();
  const model = await given.modelGroup(['sim-fail-400']);

  const answer = await run(session, { model });

  expect(readStream(answer)).toMatchObject({ error: { code: 'call_failed' }, isDone: true });
  expect(await jobOf(answer)).toMatchObject({ status: 'failed' });
});

test('a session by cookie runs nothing from another page, a user none at all, and a team none (spec 32.2)', async () => {
  const session = await signedIn();
  const model = await given.modelGroup();
  const team = await given.team();
  const ofTeam = await browser.signedIn({ virtual_key: team.key });
  const foreign = { body: { model, messages }, headers: { 'sec-fetch-site': 'cross-site' } };

  const answers = [
    await session.send('post', '/api/playground/run', foreign),
    await run(await signedIn('user'), { model }),
    await run(ofTeam, { model }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('without credits, or suspended, the test account runs nothing (spec 32.1)', async () => {
  const session = await signedIn();
  const model = await given.modelGroup();
  expectOk(await run(session, { model }));
  const { credits } = await account();
  const adjust = (credits_amount: number) =>
    admin.post(`/api/teams/${teamId}/credits/adjust`, { credits_amount, reason: 'A test' });

  expectOk(await adjust(-credits.credits_remaining));
  const poor = await run(session, { model });
  expectOk(await adjust(50));
  expectOk(await admin.post(`/api/teams/${teamId}/suspend`));
  const suspended = await run(session, { model });
  expectOk(await admin.post(`/api/teams/${teamId}/resume`));

  expect([poor, suspended].map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'insufficient_credits'],
    [403, 'team_suspended'],
  ]);
  expect((await run(session, { model })).status).toBe(200);
});
