import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { untilRequested } from '../../support/until-requested.ts';
import { hello, joined } from '../openai/chat.ts';
import { claudeCode, jobsOf } from './agents.ts';

const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: '1' } });
const given = givenIn(gateway);
afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

type Fields = Record<string, unknown>;

const send = (team: GivenTeam, fields: Fields, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${gateway.current.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: team.modelGroup, messages: hello, stream: true, ...fields }),
    ...(signal && { signal }),
  });

const whole = async (response: Response) => ({
  call: response.headers.get('x-call-id'),
  job: response.headers.get('x-job-id')!,
  message: joined({ status: response.status, text: await response.text() } as Parameters<typeof joined>[0]).message,
});

/** A stream whose client leaves after its first piece. */
async function lose(team: GivenTeam, fields: Fields, headers: Record<string, string>): Promise<string | null> {
  const leaving = new AbortController();
  const response = await send(team, fields, headers, leaving.signal);
  await response.body!.getReader().read();
  leaving.abort();
  const call = response.headers.get('x-call-id')!;
  await until(
    () => lostCalls(),
    (calls) => calls.some((text) => text?.includes(call)),
  );
  return call;
}

/** What the api has noted of streams whose clients have left. */
async function lostCalls(): Promise<(string | null)[]> {
  const { commands } = gateway.current.deps.redis;
  const keys = await commands.keys('stream:*');
  return Promise.all(keys.map((key) => commands.get(key)));
}

async function givenSlow() {
  const model = `sim-every-100-tokens-40-as-${unique('lost')}`;
  const team = await given.team({ models: [model] });
  return { team, model, headers: claudeCode(unique('session')) };
}

test('an agent that repeats a stream which it lost receives the same call from its first piece on, once (spec 27.9)', async () => {
  const { team, model, headers } = await givenSlow();

  const lost = await lose(team, { seed: 1, user: 'u' }, headers);
  const repeated = await whole(await send(team, { user: 'u', seed: 1 }, headers));
  const later = await whole(await send(team, { seed: 1, user: 'u' }, headers));

  expect(repeated.call).toBe(lost);
  expect(repeated.message).toEqual(later.message);
  expect(later.call).not.toBe(lost);
  await untilRequested(gateway, model, 2);
  await jobsOf(gateway, team).untilEnded(repeated.job);
  expect(await jobsOf(gateway, team).creditsUsed()).toBe(1);
});

test('a repetition that is lost too is taken up again, also when the call has ended meanwhile (spec 27.9)', async () => {
  const { team, headers } = await givenSlow();

  const lost = await lose(team, {}, headers);
  const again = await lose(team, {}, headers);
  const job = (await jobsOf(gateway, team).all())[0]!.job_id;
  await until(
    () => jobsOf(gateway, team).calls(job),
    (calls) => calls.every(({ status }) => status === 'succeeded'),
  );
  const last = await whole(await send(team, {}, headers));

  expect([again, last.call]).toEqual([lost, lost]);
  expect(last.message.content).not.toBe('');
});

test.each<[string, Fields, (headers: Record<string, string>) => Record<string, string>]>([
  ['has another body', { seed: 2 }, (headers) => headers],
  ['is of another session', {}, () => claudeCode(unique('session'))],
  ['is of no agent', {}, () => ({})],
])('a request that %s is a call of its own (spec 27.9)', async (_, fields, change) => {
  const { team, headers } = await givenSlow();

  const lost = await lose(team, {}, headers);

  expect((await whole(await send(team, fields, change(headers)))).call).not.toBe(lost);
});

test.each([
  ['key has ended', 'update virtual_keys set expires_at = now() where team_id = $1', 401],
  ['team is suspended', `update teams set status = 'suspended' where team_id = $1`, 403],
])('a stream is not taken up where the %s meanwhile in another process (spec 2.4)', async (_, sql, status) => {
  const { team, headers } = await givenSlow();
  await lose(team, {}, headers);

  await gateway.current.deps.database.pool.query(sql, [team.teamId]);

  expect((await send(team, {}, headers)).status).toBe(status);
});

test('an equal request while the first one is still read is a call of its own (spec 27.9)', async () => {
  const { team, headers } = await givenSlow();

  const [first, second] = await Promise.all([send(team, {}, headers).then(whole), send(team, {}, headers).then(whole)]);

  expect(first.call).not.toBe(second.call);
});

test('a stream of another team is not taken up, whatever Redis has (spec 27.9)', async () => {
  const { team, headers } = await givenSlow();
  const other = await givenSlow();
  const lost = await lose(team, {}, headers);
  const { commands } = gateway.current.deps.redis;
  await lose(other.team, {}, other.headers);

  for (const key of await commands.keys('stream:*'))
    await commands.set(key, JSON.stringify({ callId: lost, jobId: lost }));
  const answer = await whole(await send(other.team, {}, other.headers));

  expect(answer.call).not.toBe(lost);
  expectOk(await as(gateway, other.team).get(`/api/jobs/${answer.job}`));
});
