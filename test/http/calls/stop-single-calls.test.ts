import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, hello, unique } from '../../support/given.ts';
import { contentOf, isRunning, isShown, stopping } from '../../support/given-stop.ts';
import { checkLedger } from '../../support/ledger.ts';
import { untilRequested } from '../../support/until-requested.ts';

// Before the hook that closes the gateway.
afterAll(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

const gateway = gatewayForTests();
const given = givenIn(gateway);
const { stop, started } = stopping(gateway, () => gateway.current.deps.database.pool);

const slow = () => `sim-slow-60000-as-${unique('stopped')}`;
const streaming = () => `sim-tokens-400-every-25-as-${unique('stopped')}`;

test.each(['single', 'singleStream'] as const)(
  'the job of a %s call that is stopped before a token was shown is cancelled and free (spec 26.11)',
  async (kind) => {
    const model = slow();
    const team = await given.team({ models: [model], credits: 5 });
    const { job, call, end } = await started(team, kind, isRunning);
    await untilRequested(gateway, model);

    expect(expectOk(await stop(team, job, call))).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });

    const answer = await end;
    if (kind === 'single')
      expect(expectOk(answer)).toMatchObject({
        status: 'cancelled',
        response: { content: '', finish_reason: 'stopped' },
        costs: { credit_applied: false, failed_calls: 0 },
      });
    else expect(contentOf(answer)).toMatchObject({ text: '', reason: 'stopped' });
    expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
      status: 'cancelled',
      error_message: null,
      credit_applied: false,
    });
    expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
  },
);

test('a single-call job whose call is stopped after a token was shown is completed and charged (spec 26.11)', async () => {
  const team = await given.team({ models: [streaming()], credits: 5 });
  const { job, call, end } = await started(team, 'singleStream', isShown);

  expectOk(await stop(team, job, call));

  expect(contentOf(await end).reason).toBe('stopped');
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
    status: 'completed',
    credit_applied: true,
  });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('a single-call job that has received another command is ended by its workflow as its stopped call says (spec 26.11)', async () => {
  const model = slow();
  const team = await given.team({ models: [model], credits: 5 });
  const { job, call, end } = await started(team, 'single', isRunning);
  await untilRequested(gateway, model);
  expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { seen: true } }));

  expectOk(await stop(team, job, call));

  expect(expectOk(await end)).toMatchObject({ status: 'cancelled' });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
    status: 'cancelled',
    metadata: { seen: true },
  });
});

test.each([
  ['completed', 0, false],
  ['answered', 1, true],
] as const)(
  'a single-call job with the policy %s whose call is stopped before a token costs %d credits (spec 26.11)',
  async (policy, credits, applied) => {
    const model = slow();
    const team = await given.team({ models: [model], credits: 5, billing_policy: policy });
    const { job, call, end } = await started(team, 'single', isRunning);
    await untilRequested(gateway, model);

    expectOk(await stop(team, job, call));
    await end;

    const { costs } = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));
    expect(costs).toMatchObject({ credits_charged: credits, credit_applied: applied });
  },
);

test('a call that ends its job ends it when it is stopped, as one that has succeeded (spec 26.10)', async () => {
  const model = slow();
  const team = await given.team({ models: [model], credits: 5 });
  const job = await given.job(team);
  const call = as(gateway, team).post(
    '/v1/chat/completions',
    { model: team.modelGroup, messages: hello },
    { 'x-job-id': job, 'x-job-end': 'call' },
  );
  await untilRequested(gateway, model);
  const [{ call_id }] = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).calls;

  expectOk(await stop(team, job, call_id));

  expectOk(await call);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`))).toMatchObject({
    status: 'completed',
    credit_applied: true,
  });
});

test('a call that is not streamed is answered with what its model had produced when it was stopped, and its job is charged (spec 26.10, spec 26.11)', async () => {
  const model = `sim-events-tokens-400-every-25-as-${unique('stopped')}`;
  const team = await given.team({ models: [model], credits: 5 });
  const { job, call, end } = await started(team, 'single', isRunning);
  await untilRequested(gateway, model);
  await pause(500);

  const stopped = expectOk(await stop(team, job, call));

  expect(stopped).toMatchObject({ finish_reason: 'stopped', first_token_at: expect.any(String) });
  const { status, response, costs } = expectOk(await end);
  expect([status, response.finish_reason, costs.credits_remaining]).toEqual(['completed', 'stopped', 4]);
  expect(response.content).not.toBe('');
  const recorded = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=response`));
  expect(recorded.response.content).toBe(response.content);
});
