import { gzipSync } from 'node:zlib';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

const limit = 40;
const gateway = gatewayForTests({ settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: String(limit) } });
// Of an installation whose platform key makes more requests than the limit allows.
const given = givenIn(gateway);

const flood = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

function expectAllBut(answers: Answer[], passed: number): void {
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(answers.length - passed);
  for (const { headers, body } of refused) {
    expect(body).toEqual({ detail: 'Rate limit exceeded', code: 'rate_limited' });
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1_000 - 1);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}

test('a key that creates jobs without pause is refused beyond its limit a minute, and another team is not (spec 9.5)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const create = () => as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' });

  const answers = await flood(limit + 10, create);

  expectAllBut(answers, limit);
  expect((await as(gateway, other).get('/api/jobs')).status).toBe(200);
});

test('repetitions and invalid requests count like every other request (spec 9.5)', async () => {
  const team = await given.team();
  const repeated = { team_id: team.teamId, job_type: 'report' };
  const sent = await flood(limit + 10, (index) =>
    index % 2 === 0
      ? sendRequest(gateway.current.url, 'post', '/api/jobs/create', {
          key: team.key,
          body: repeated,
          headers: { 'Idempotency-Key': 'the same' },
        })
      : as(gateway, team).post('/api/jobs/create', {}),
  );

  expectAllBut(sent, limit);
});

test('requests to an endpoint of calls that make no call are limited too (spec 9.5)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const statuses = new Set<number>();
  for (let sent = 0; sent < limit + 5; sent += 1)
    statuses.add((await as(gateway, team).post(`/api/jobs/${job}/llm-call`, {})).status);

  expect([...statuses]).toEqual([422, 429]);
});

test('calls do not count against the limit of requests (spec 9.5)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const call = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hi' }] };

  for (let made = 0; made < limit; made += 8)
    expect(
      (await flood(8, () => as(gateway, team).post(`/api/jobs/${job}/llm-call`, call))).map(expectOk),
    ).toHaveLength(8);

  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
});

test('a call beyond its limit is refused before its body is read (spec 1.2, spec 9.1)', async () => {
  const team = await given.team({ rpm_limit: 2 });
  const job = await given.job(team);
  const path = `/api/jobs/${job}/llm-call`;
  const call = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hi' }] };
  await flood(3, () => as(gateway, team).post(path, call));

  const packed = gzipSync(JSON.stringify({ messages: 'x'.repeat(9_000_000) }));
  const refused = await fetch(`${gateway.current.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${team.key}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: packed,
  });

  // Unpacked and checked, it would be a 422.
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
});

test('a repeated call is answered also if the limit of calls is exhausted', async () => {
  const team = await given.team({ rpm_limit: 2 });
  const job = await given.job(team);
  const path = `/api/jobs/${job}/llm-call`;
  const body = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hi' }] };
  const keyed = { key: team.key, body, headers: { 'Idempotency-Key': unique('call') } };
  const first = expectOk(await sendRequest(gateway.current.url, 'post', path, keyed));
  await flood(3, () => as(gateway, team).post(path, body));

  expect(expectOk(await sendRequest(gateway.current.url, 'post', path, keyed))).toEqual(first);
});

test('further refusals of a network with too many refused credentials are delayed, and valid credentials are served', async () => {
  const team = await given.team();
  const guess = () => sendRequest(gateway.current.url, 'get', '/api/jobs', { key: 'sk-guess' });
  const took = async (request: () => Promise<Answer>) => {
    const startedAt = performance.now();
    const { status } = await request();
    return [status, performance.now() - startedAt >= 400] as const;
  };
  expect(await took(guess)).toEqual([401, false]);

  await flood(limit, guess);

  expect(await took(guess)).toEqual([401, true]);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
});

test('requests without a credential are limited by address, and probes are not limited (spec 9.5)', async () => {
  const statuses = (
    await flood(limit + 5, () => sendRequest(gateway.current.url, 'get', '/api/admin-users/setup/status'))
  ).map(({ status }) => status);
  const probes = await flood(limit + 5, () => sendRequest(gateway.current.url, 'get', '/health'));

  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(probes.every(({ status }) => status === 200)).toBe(true);
});
