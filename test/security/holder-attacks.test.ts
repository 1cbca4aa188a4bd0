import { as, expectOk, type GivenTeam, givenIn, hello, singleCallBody } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { answering, closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import { openAttacker } from './support/attacker.ts';
import { incompressible, insertJobWithCalls } from './support/attacks/records.ts';
import { installationForTests } from './support/installation.ts';
import { holdConnections, openSocket, unfinishedRequest } from './support/sockets.ts';

const [concurrentCalls, deliveriesPerMinute, storedBytes] = [3, 4, 60_000];

/** The short forms of `holder-attacks.long.ts`: what is counted, with small bounds, and never how long something takes. */
const installation = installationForTests({
  settings: {
    MAX_CONCURRENT_CALLS: String(concurrentCalls),
    WEBHOOK_DELIVERIES_PER_MINUTE: String(deliveriesPerMinute),
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    STORED_BYTES_PER_DAY: String(storedBytes),
  },
});
const given = givenIn(installation);

afterEach(closeReceivers);

const rowsOf = async (sql: string, values: unknown[]) => (await installation.current.pool.query(sql, values)).rows;

test.each(['GET /missing', 'GET /health', 'GET /api/jobs', 'OPTIONS /api/jobs', 'GET /console/jobs/any'])(
  'a connection with a thousand pipelined requests %s is closed after few answers',
  async (line) => {
    const socket = await openSocket(installation.current);
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });

    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(1_000));
    await until(() => socket.closed);

    expect(received.split('HTTP/1.1 ').length - 1).toBeLessThan(100);
  },
);

/** Sends calls that stay open, and returns those of them that are answered: refusals. */
function hangingCalls(team: GivenTeam, count: number) {
  const stopped = new AbortController();
  const { url } = installation.current;
  const answers: { status: number; text: string }[] = [];
  const sent = Array.from({ length: count }, async () => {
    const answer = await fetch(`${url}/api/jobs/create-and-call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(singleCallBody(team)),
      signal: stopped.signal,
    });
    answers.push({ status: answer.status, text: await answer.text() });
  });
  const ended = Promise.allSettled(sent);
  return {
    answers,
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

test('a team whose calls hang has as many of them as it may, the others are refused with 429 by a name, and calls of another team succeed (spec 9.1, spec 9.6)', async () => {
  const [team, other] = [await given.team({ models: ['sim-hang'] }), await given.team()];

  const calls = hangingCalls(team, concurrentCalls + 4);
  await until(() => calls.answers.length >= 4);
  expectOk(await as(installation, other).single());
  const begun = await rowsOf('select 1 from calls where team_id = $1', [team.teamId]);
  await calls.stop();

  expect(calls.answers.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
  expect(calls.answers[0]!.text).toMatch(/concurrent/i);
  expect(begun).toHaveLength(concurrentCalls);
});

test('a key may wait for ends of jobs after thirty waits that were abandoned', async () => {
  const attacker = await openAttacker(installation.current);
  const job = await attacker.hangingJob();

  const flood = await attacker.flood({
    requests: [attacker.post(`/api/jobs/${job}/complete`, { status: 'completed' })],
    atOnce: 30,
    count: 30,
    abortAfterMs: 300,
  });
  await flood.ended;

  const own = await given.job(attacker.team);
  expectOk(await as(installation, attacker.team).complete(own));
  await attacker.end();
});

test('completing a job with 3,000 calls again is answered with less than 100 KB (spec 3.13)', async () => {
  const attacker = await openAttacker(installation.current);
  const job = await insertJobWithCalls(attacker, 3_000);

  const answer = await as(installation, attacker.team).complete(job);

  expectOk(answer);
  expect(answer.text.length).toBeLessThan(100_000);
});

test('a stored request of 3 MB is not answered whole', async () => {
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(installation, team).call(job));
  const [{ call_id }] = (await rowsOf('select call_id from calls where job_id = $1', [job])) as [{ call_id: string }];
  const stored = JSON.stringify({ messages: [{ role: 'user', content: incompressible(3_000_000) }] });
  await rowsOf('update call_payloads set request = $2 where call_id = $1', [call_id, stored]);

  const answer = await as(installation, team).get(
    `/api/jobs/${job}/calls/${call_id}?include=request&max_bytes=4000000`,
  );

  expect([200, 206, 422]).toContain(answer.status);
  expect(answer.text.length).toBeLessThan(1_500_000);
});

test.each([
  [
    'reasoning',
    [...hello, { role: 'assistant', content: 'Yes', reasoning_content: 'thought '.repeat(50_000) }, ...hello],
  ],
  ['a data URL in a text', [{ role: 'user', content: `data:image/png;base64,${incompressible(400_000)}` }]],
])('of two calls at once of 400 KB of %s one exceeds 60,000 tokens a minute', async (_name, messages) => {
  const team = await given.team({ tpm_limit: 60_000 });

  const call = () => as(installation, team).post('/v1/chat/completions', { model: team.modelGroup, messages });
  const answers = await Promise.all([call(), call()]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
});

test('what is stored of a call of 600 KB that the model refused is less than 1 KB', async () => {
  const team = await given.team({ models: ['sim-overflow-code'] });

  const answer = await as(installation, team).single({
    messages: [{ role: 'user', content: incompressible(600_000) }],
  });

  expect(answer.status).toBeGreaterThanOrEqual(400);
  const bytes = async () => {
    const sql = `select coalesce(sum(octet_length(request)), 0)::int as bytes from call_payloads join calls using (call_id) where team_id = $1`;
    return ((await rowsOf(sql, [team.teamId])) as [{ bytes: number }])[0].bytes;
  };
  expect(await until(bytes, (one) => one < 1_024)).toBeLessThan(1_024);
});

test('a team has at most ten webhooks, and of their deliveries no more than it may have in a minute are begun', async () => {
  const receiver = await startReceiver(answering(200));
  const team = await given.team();
  const body = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1)
    statuses.push((await as(installation, team).post('/api/webhooks/register', body)).status);

  await given.job(team);
  await given.job(team);

  const sql = `select count(*)::int as all, count(started_at)::int as begun from webhook_deliveries join webhooks using (webhook_id) where team_id = $1`;
  const deliveries = async () => ((await rowsOf(sql, [team.teamId])) as [{ all: number; begun: number }])[0];
  const seen = await until(deliveries, ({ all, begun }) => all === 20 && begun > 0);
  expect(statuses).toEqual([...Array(10).fill(200), 400]);
  expect(seen.begun).toBeLessThanOrEqual(deliveriesPerMinute);
});

test('five sign-ins with one key are one entry of the audit log', async () => {
  const team = await given.team();

  for (let n = 0; n < 5; n += 1)
    expectOk(await sendRequest(installation.current.url, 'post', '/api/session', { body: { virtual_key: team.key } }));

  const entries = await rowsOf(`select 1 from audit_log where action = 'login' and resource_id = $1`, [team.teamId]);
  // The minute may have ended in between.
  expect([1, 2]).toContain(entries.length);
});

test('key and session of a team have twenty streams of events together, and others are refused with 429 by a name', async () => {
  const attacker = await openAttacker(installation.current);
  const requests = await attacker.byKeyAndSession('/api/events?topics=jobs');
  const stopped = new AbortController();

  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const { path, headers } = requests[n % 2]!;
      const answer = await fetch(`${attacker.url}${path}`, { headers: headers!, signal: stopped.signal });
      return answer.status === 200 ? '' : `${answer.status} ${await answer.text()}`;
    }),
  );
  stopped.abort();

  const refused = answers.filter((text) => text !== '');
  expect(refused).toEqual(Array(4).fill(expect.stringMatching(/^429.*streams of events/)));
});

test.each([
  ['logit_bias', { logit_bias: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`, 'wrong'])) }],
  ['messages', { messages: Array.from({ length: 2_000 }, () => ({ role: 'nobody', content: [{}] })) }],
])('a chat completion with thousands of wrong %s is refused with less than 20 KB', async (_name, fields) => {
  const team = await given.team();

  const body = { model: team.modelGroup, messages: hello, ...fields };
  const answer = await as(installation, team).post('/v1/chat/completions', body);

  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(20_000);
});

test('calls of another team succeed while a team has bodies of 32 MB in arrival on eight connections', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const held = await holdConnections({
    ...installation.current,
    count: 8,
    bytes: () =>
      unfinishedRequest(
        'POST /api/jobs/create-and-call',
        { Authorization: `Bearer ${team.key}` },
        'x'.repeat(1_000_000),
        32_000_000,
      ),
    reads: true,
  });

  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await as(installation, other).single()).status);
  held.close();

  expect(statuses).toEqual([200, 200, 200]);
});

test('jobs with metadata are refused with 429 by a name above the bytes that a team may store in a day, and those of another team are created (spec 9.10)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const create = (one: GivenTeam) =>
    as(installation, one).post('/api/jobs/create', {
      team_id: one.teamId,
      job_type: 'report',
      metadata: { text: 'x'.repeat(9_000) },
    });

  const answers = [];
  for (let n = 0; n < 10; n += 1) answers.push(await create(team));

  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(8);
  expect(answers.at(-1)!.status).toBe(429);
  expect(answers.at(-1)!.text).toMatch(/STORED_BYTES_PER_DAY/);
  expectOk(await create(other));
});
