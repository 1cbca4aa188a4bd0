import { APIError, Call, CallFailedError, JobGatewayAdmin } from '../../clients/typescript/src/index.ts';
import { openRelay } from '../clients/support/relay.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { untilRequested } from '../support/until-requested.ts';
import { clientOf, creditsUsed, messages } from './support.ts';

/** The client against a real gateway, through a relay that cuts connections. */
const gateway = gatewayForTests();
const given = givenIn(gateway);
const relay = openedForTests(() => openRelay(() => gateway.current.url));

beforeEach(() => {
  relay.current.requests.length = 0;
  relay.current.onAnswer = async () => undefined;
});

const modelOf = (words: string) => `sim-${words}-as-${unique('client')}`;
const client = (team: GivenTeam, options = {}) => clientOf(team, relay.current.url, options);
const sent = (model: string) => gateway.current.simulator.requestsFor({ model }).length;
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The connection of each next event stream ends after so many bytes. */
const cutStreamsAfter = (...bytes: number[]) => {
  relay.current.onAnswer = async (_, headers) =>
    headers['content-type']?.startsWith('text/event-stream') ? bytes.shift() : undefined;
};

const recordedText = async (team: GivenTeam, jobId: string, callId: string): Promise<string> => {
  const job = await client(team).jobs.retrieve(jobId);
  const { response } = await job.calls.retrieve(callId, { include: ['response'] });
  return (response as { content: string }).content;
};

test.each([
  ['tokens-60-every-5', [700, 1_501, 20, 2_003, 1]],
  ['unicode-every-5', [333, 601, 450]],
  ['tokens-60-every-5', [0, 0, 900, 0, 0]],
])('a stream of %s that is cut after %p bytes loses no character and doubles none (clients 5)', async (words, cuts) => {
  const model = modelOf(words);
  const team = await given.team({ models: [model] });
  const job = await client(team).jobs.create({ job_type: 'report' });
  cutStreamsAfter(...cuts);

  const stream = job.stream({ model_group: team.modelGroup, messages });
  let text = '';
  for await (const piece of stream) text += piece;

  const { response, usage, call_id } = await stream.finalResponse();
  expect(text).toBe(await recordedText(team, job.job_id, call_id));
  expect(response).toEqual({ content: text, finish_reason: 'stop' });
  expect(usage?.total_tokens).toBeGreaterThan(0);
  expect((await job.complete()).costs).toMatchObject({ total_calls: 1, credit_applied: true });
  expect([sent(model), await creditsUsed(gateway, team)]).toEqual([1, 1]);
});

test('tool calls of a stream that is cut are whole (clients 5)', async () => {
  const model = modelOf('two-tools-every-5');
  const team = await given.team({ models: [model] });
  const { jobs } = client(team);
  const tools = ['get_weather', 'get_time'].map((name) => ({
    type: 'function' as const,
    function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  }));
  const request = { job_type: 'report', model: team.modelGroup, messages, tools };
  const whole = await jobs.createAndCall(request);
  cutStreamsAfter(500, 900);

  const { response } = await jobs.createAndStreamCall(request).finalResponse();

  const withoutIds = ({ tool_calls = [] }: typeof response) => tool_calls.map(({ id: _, ...call }) => call);
  expect(withoutIds(response)).toEqual(withoutIds(whole.response));
  expect(response.tool_calls?.map(({ id }) => id)).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  expect(response.finish_reason).toBe('tool_calls');
});

test('a stream that brings nothing new three times is thrown, and with maxRetries 0 the first cut (clients 4, clients 5)', async () => {
  const team = await given.team({ models: [modelOf('tokens-60-every-5')] });
  const request = { job_type: 'report', model: team.modelGroup, messages };
  cutStreamsAfter(0, 0, 0);
  expect(await thrown(client(team).jobs.createAndStreamCall(request).finalResponse())).toMatchObject({
    name: 'APIConnectionError',
  });
  cutStreamsAfter(900);
  expect(await thrown(client(team, { maxRetries: 0 }).jobs.createAndStreamCall(request).finalResponse())).toMatchObject(
    {
      name: 'APIConnectionError',
    },
  );
});

test('an answer that is lost on its way is repeated, and charged once (clients 4)', async () => {
  const model = modelOf('ok');
  const team = await given.team({ models: [model] });
  const { jobs } = client(team);
  const lost = new Set<string>();
  relay.current.onAnswer = async () => {
    const key = String(relay.current.requests.at(-1)!['idempotency-key']);
    const isFirst = !lost.has(key);
    lost.add(key);
    return isFirst ? 'cut' : undefined;
  };

  const { result, costs } = await jobs.run({ job_type: 'report' }, async (job) => {
    await job.updateMetadata({ step: 1 });
    return (await job.call({ model_group: team.modelGroup, messages })).response.content;
  });
  const single = await jobs.createAndCall({ job_type: 'report', model: team.modelGroup, messages });

  expect(result).toMatch(/\w/);
  expect([costs.total_calls, single.costs.credit_applied, sent(model)]).toEqual([1, true, 2]);
  expect(await creditsUsed(gateway, team)).toBe(2);
});

test.each(['error-in-stream-2', 'stream-cut-2'])(
  '%s is CallFailedError of a stream, a call and a call in the background (clients 4)',
  async (words) => {
    const team = await given.team({ models: [modelOf(words)] });
    const job = await client(team).jobs.create({ job_type: 'report' });
    const request = { model_group: team.modelGroup, messages };
    const pieces: string[] = [];
    const read = async () => {
      for await (const piece of job.stream(request)) pieces.push(piece);
    };
    const background = await job.call({ ...request, background: true });

    const errors = [await thrown(read()), await thrown(job.call(request)), await thrown(background.wait())];

    for (const error of errors) {
      expect(error).toBeInstanceOf(CallFailedError);
      expect(error).toMatchObject({ status: 500, detail: expect.stringMatching(/\w/), code: expect.any(String) });
    }
    expect(pieces.join('')).toMatch(/\w/);
    expect(await job.fail('no answer')).toMatchObject({
      status: 'failed',
      costs: { failed_calls: 3, credit_applied: false },
    });
  },
);

test('a call in the background is waited for, watched and stopped, also by another process (clients 5)', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const slow = await given.team({ models: [modelOf('slow-20000')], organizationId: team.organizationId });
  const job = await client(team).jobs.create({ job_type: 'report' });
  const call = await job.call({ model_group: team.modelGroup, messages, background: true });
  expect(call).toBeInstanceOf(Call);
  const elsewhere = await (await client(team).jobs.retrieve(call.job_id)).calls.retrieve(call.call_id);

  const whole = { content: messages[0]!.content, finish_reason: 'stop' };
  expect(await call.wait()).toMatchObject({
    call_id: call.call_id,
    response: whole,
    metadata: { model_group: team.modelGroup },
  });
  expect((await elsewhere.stream().finalResponse()).response).toEqual(whole);
  expect((await elsewhere.refresh()).status).toBe('succeeded');

  const other = await client(slow).jobs.create({ job_type: 'report' });
  const running = await other.call({ model_group: slow.modelGroup, messages, background: true });
  expect(await thrown(running.wait({ timeout: 10 }))).toMatchObject({ name: 'APITimeoutError' });
  const watched = running.stream().finalResponse();
  expect(await running.stop()).toMatchObject({ status: 'succeeded', finish_reason: 'stopped' });
  expect((await running.wait()).response).toEqual({ content: '', finish_reason: 'stopped' });
  expect((await watched).response).toEqual({ content: '', finish_reason: 'stopped' });
  expect(running.status).toBe('succeeded');
});

test('a stream is stopped with what it has, and a program that leaves or aborts it leaves the call (clients 4, clients 5)', async () => {
  const model = modelOf('tokens-100-every-20');
  const team = await given.team({ models: [model] });
  const { jobs } = client(team);
  const request = { job_type: 'report', model: team.modelGroup, messages };

  const stopped = jobs.createAndStreamCall(request);
  for await (const _ of stopped) if (stopped.call_id) await stopped.stop();
  expect((await stopped.finalResponse()).response.finish_reason).toBe('stopped');

  const left = jobs.createAndStreamCall(request);
  for await (const _ of left) break;
  expect(await thrown(left.finalResponse())).toMatchObject({ message: expect.stringMatching(/not read to its end/) });
  expect(await thrown(left.events().next())).toMatchObject({ message: expect.stringMatching(/once/) });

  const leaving = new AbortController();
  const aborted = jobs.createAndStreamCall(request, { signal: leaving.signal });
  const error = await thrown(
    (async () => {
      for await (const _ of aborted) leaving.abort();
    })(),
  );
  expect(error).toMatchObject({ name: 'AbortError' });

  for (const { job_id, call_id } of [left, aborted]) {
    const call = await (await jobs.retrieve(job_id!)).calls.retrieve(call_id!);
    expect((await call.wait()).response.finish_reason).toBe('stop');
  }
});

test('a function that throws fails its job with the message, however long, and the error is thrown on (clients 2)', async () => {
  const team = await given.team();
  const { jobs } = client(team);
  const error = new Error(`no\0ne \ud800 ${'😀'.repeat(2_000)}`);

  expect(await thrown(jobs.run({ job_type: 'report' }, () => Promise.reject(error)))).toBe(error);

  const [job] = await jobs.list().toArray();
  expect(job).toMatchObject({ status: 'failed', credit_applied: false });
  expect(job!.error_message).toMatch(/^no\ufffdne \ufffd 😀+$/u);
});

test('a function that ends its job itself is left with that end (clients 2)', async () => {
  const team = await given.team();

  const outcome = await client(team).jobs.run({ job_type: 'report' }, async (job) => {
    await job.fail({ error_message: 'by choice', metadata: { a: 1 } });
    return 7;
  });

  expect(outcome).toMatchObject({ status: 'failed', result: 7 });
});

test('a job has the operations of the API (clients 2)', async () => {
  const team = await given.team();
  const { jobs } = client(team);
  const job = await jobs.create({ job_type: 'report', user_id: 'u', budget: { max_calls: 3 } });
  const { call_id } = await job.call({ model_group: team.modelGroup, messages });

  expect((await job.changeBudget({ max_calls: 9 })).budget.max_calls).toBe(9);
  expect((await job.updateMetadata({ a: 1 })).metadata).toEqual({ a: 1 });
  expect((await job.getCosts()).breakdown).toMatchObject([{ call_id }]);
  expect((await job.calls.list().toArray()).map((call) => call.call_id)).toEqual([call_id]);
  expect((await job.calls.stop(call_id)).status).toBe('succeeded');
  expect((await job.calls.stream(call_id).finalResponse()).call_id).toBe(call_id);
  expect(await job.complete({ background: true, metadata: { b: 2 } })).toMatchObject({ job_id: job.job_id });
  expect(await job.complete()).toMatchObject({ status: 'completed' });
  expect((await job.getTimeline()).verdict.rule).toBe('charged');
  expect(await job.deletePayloads()).toMatchObject({ deleted: 1 });
  expect(await thrown(job.calls.stream(call_id).finalResponse())).toMatchObject({
    status: 410,
    code: 'payload_deleted',
  });
  expect(await job.refresh()).toMatchObject({ status: 'completed', metadata: { a: 1, b: 2 } });
  const cancelled = await jobs.create({ job_type: 'report' });
  expect(await cancelled.cancel({ reason: 'x' })).toMatchObject({ status: 'cancelled' });
  expect(await jobs.cancel({ job_ids: [cancelled.job_id] })).toMatchObject({ matched: 1, already_ended: 1 });
  expect((await jobs.list({ user_id: 'u' }).toArray()).map(({ job_id }) => job_id)).toEqual([job.job_id]);
});

test('a refusal is thrown with its code and request id (clients 4)', async () => {
  const team = await given.team({ credits: 0, low_balance_policy: 'block' });

  const error = await thrown(client(team).jobs.create({ job_type: 'report' }));

  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 403, code: 'insufficient_credits', requestId: expect.stringMatching(/\w/) });
  expect(relay.current.requests).toHaveLength(1);
});

test('an admin makes a team, its models, its keys and its credits, and reads what there is (clients 7)', async () => {
  const { url, masterKey } = gateway.current;
  const admin = new JobGatewayAdmin({ baseUrl: url, token: masterKey });
  const organization_id = unique('org');
  const team_id = unique('team');
  const group_name = unique('group');
  await admin.organizations.create({ organization_id, name: 'An organization' });
  await admin.modelGroups.create({ group_name, models: [{ model_name: 'sim-ok' }] });
  const alias = await admin.modelAliases.create({ alias_name: unique('alias'), model_name: 'sim-ok' });
  const access = await admin.modelAccessGroups.create({
    group_name: unique('access'),
    model_aliases: [alias.alias_name],
  });
  const team = await admin.teams.create({ organization_id, team_id, model_groups: [group_name], credits_allocated: 5 });

  expect((await admin.teams.update(team_id, { access_groups: [access.group_name] })).team_id).toBe(team_id);
  expect((await admin.modelGroups.resolve(group_name, { team_id })).members).toHaveLength(1);
  expect(await admin.credits.allocate(team_id, { credits_amount: 3 })).toMatchObject({ credits_after: 8 });
  expect(await admin.credits.adjust(team_id, { credits_amount: -1, reason: 'x' })).toMatchObject({ credits_after: 7 });
  expect(await admin.credits.retrieve(team_id)).toMatchObject({ credits_remaining: 7 });
  expect(await admin.credits.listTransactions({ team_id, limit: 1 }).toArray()).toHaveLength(3);
  expect(await admin.prices.setOfTeam(team_id, 'report', { credits: 2 })).toMatchObject({ credits: 2 });
  expect((await admin.prices.listOfTeam(team_id).toArray()).map(({ job_type }) => job_type)).toEqual(['report']);
  const key = await admin.keys.create(team_id, { name: 'second' });
  expect((await admin.keys.list(team_id)).keys.map(({ key_id }) => key_id)).toContain(key.key_id);
  expect((await admin.teams.list({ organization_id }).toArray()).map((one) => one.team_id)).toEqual([team_id]);
  expect((await admin.modelGroups.list({ limit: 1 }).toArray()).length).toBeGreaterThan(1);
  const { jobs } = clientOf(
    { key: team.virtual_key, teamId: team_id, organizationId: organization_id, modelGroup: group_name },
    url,
  );
  const { job_id } = await jobs.createAndCall({ job_type: 'report', model: alias.alias_name, messages });
  expect((await admin.jobs.list({ team_id }).toArray()).map((one) => one.job_id)).toEqual([job_id]);
  expect(await admin.credits.refund(team_id, { job_id })).toMatchObject({ credits_after: 7 });
  expect(await admin.teams.suspend(team_id)).toMatchObject({ status: 'suspended' });
  expect(await thrown(jobs.create({ job_type: 'report' }))).toMatchObject({ status: 403, code: 'team_suspended' });
  expect(await thrown(admin.users.getMe())).toMatchObject({ status: 401 });
});

test('an admin user is set up, logs in and out (clients 7)', async () => {
  const { url, masterKey } = gateway.current;
  const { users } = new JobGatewayAdmin({ baseUrl: url, headers: { 'X-Admin-Key': masterKey } });
  const login = { email: `${unique('owner')}@example.com`, password: `${unique('long')}-Secret-7` };
  await users.setUp({ ...login, display_name: 'Owner' });
  const { access_token } = await users.logIn(login);
  const admin = new JobGatewayAdmin({ baseUrl: url, token: access_token });

  expect(await admin.users.getMe()).toMatchObject({ email: login.email, role: 'owner' });
  expect(await admin.users.list().toArray()).toHaveLength(1);
  expect((await admin.users.listAuditEntries({ limit: 1 }).toArray()).length).toBeGreaterThan(1);
  await admin.users.logOut();
  expect(await thrown(admin.users.getMe())).toMatchObject({ status: 401 });
});

test('a call whose connection is cut while it runs is waited for, and made once (clients 4)', async () => {
  const model = modelOf('slow-6000');
  const team = await given.team({ models: [model] });
  const cutting = new AbortController();
  const cutFirst: typeof fetch = (input, init) => {
    const signal =
      relay.current.requests.length === 0 ? AbortSignal.any([init!.signal!, cutting.signal]) : init!.signal!;
    return fetch(input, { ...init!, signal });
  };
  const calling = clientOf(team, relay.current.url, { fetch: cutFirst }).jobs.createAndCall({
    job_type: 'report',
    model: team.modelGroup,
    messages,
  });
  await untilRequested(gateway, model);
  cutting.abort(new TypeError('terminated'));

  expect((await calling).response.content).toMatch(/\w/);
  expect(relay.current.requests.length).toBeGreaterThan(2);
  expect([sent(model), await creditsUsed(gateway, team)]).toEqual([1, 1]);
});
