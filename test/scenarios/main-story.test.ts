import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a job with three calls, one of them streamed, costs one credit (spec 3.14, spec 6.10)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);

  const first = expectOk(await as(gateway, team).call(job, { purpose: 'outline' }));
  const streamed = await as(gateway, team).stream(job, { purpose: 'draft' });
  const third = expectOk(await as(gateway, team).call(job, { purpose: 'title' }));
  const outcome = expectOk(await as(gateway, team).complete(job));

  expect(first).toMatchObject({ response: { finish_reason: 'stop' }, metadata: { model_group: team.modelGroup } });
  expect(readEvents(streamed.text).at(-1)).toBe('[DONE]');
  expect(third.response.content).toBe(first.response.content);
  expect(outcome).toMatchObject({
    job_id: job,
    status: 'completed',
    costs: { total_calls: 3, successful_calls: 3, failed_calls: 0, credit_applied: true, credits_remaining: 4 },
  });
  expect(outcome.calls.map((call: { purpose: string }) => call.purpose)).toEqual(['outline', 'draft', 'title']);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_used: 1, credits_remaining: 4 });
});

test('a completed job with a failed call is not charged (spec 6.10)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-fail-400-once-as-free'] });
  const job = await given.job(team);

  const failed = await as(gateway, team).call(job);
  expectOk(await as(gateway, team).call(job));
  const outcome = expectOk(await as(gateway, team).complete(job));

  expect(failed.status).toBe(500);
  expect(failed.body.detail).toMatch(/^LLM call failed: /);
  expect(outcome.costs).toMatchObject({ total_calls: 2, failed_calls: 1, credit_applied: false, credits_remaining: 5 });
});

test('a job that is completed twenty times at once, and once more, is charged once (spec 3.5, spec 6.10)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  await as(gateway, team).call(job);

  const outcomes = await Promise.all(Array.from({ length: 20 }, () => as(gateway, team).complete(job)));
  const again = await as(gateway, team).complete(job);

  for (const outcome of [...outcomes, again]) expect(expectOk(outcome)).toEqual(outcomes[0]!.body);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('an ended job answers calls, completions, cancels and metadata updates with 409 (spec 3.5)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job));

  const refused = await Promise.all([
    as(gateway, team).call(job),
    as(gateway, team).stream(job),
    as(gateway, team).call(job, { model_group: 'no such group' }),
    as(gateway, team).complete(job, 'failed'),
    as(gateway, team).post(`/api/jobs/${job}/cancel`),
    as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { late: true } }),
  ]);

  for (const { status, body } of refused) {
    expect([status, body]).toEqual([409, { detail: 'Job is already completed', code: 'job_finished' }]);
  }
  expect(gateway.current.simulator.requestsFor({ model: 'sim-ok', key: team.key })).toHaveLength(0);
});

test('create-and-call creates, calls and completes a job in one request (spec 4.6, spec 4.14)', async () => {
  const team = await given.team({ credits: 5 });

  const answer = await as(gateway, team).single();

  expect(expectOk(answer)).toMatchObject({
    status: 'completed',
    metadata: { model: team.modelGroup },
    costs: { total_calls: 1, credit_applied: true, credits_remaining: 4 },
  });
  expect(answer.headers.get('x-job-id')).toBe(answer.body.job_id);
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.body.job_id}`));
  expect(job).toMatchObject({ status: 'completed', credit_applied: true, model_groups_used: [team.modelGroup] });
});

test('create-and-call whose call fails creates a failed job and is not charged (spec 4.3, spec 4.8)', async () => {
  const team = await given.team({ credits: 5, models: ['sim-fail-400'] });

  const answer = await as(gateway, team).single();

  expect(answer.status).toBe(500);
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));
  expect(job).toMatchObject({ status: 'failed', credit_applied: false });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('create-and-call-stream has deducted the credit before it sends [DONE] (spec 5.12)', async () => {
  const team = await given.team({ credits: 5 });

  const answer = await as(gateway, team).singleStream();

  expect(readEvents(answer.text).at(-1)).toBe('[DONE]');
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});
