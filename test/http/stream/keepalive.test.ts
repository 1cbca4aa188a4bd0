import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, hello, singleCallBody } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a stream in which nothing else is sent has a comment after 15 s, under /api and under /v1 (spec 5.1, spec 17.20)', async () => {
  const team = await given.team({ models: ['sim-hang'] });
  const chat = { model: team.modelGroup, messages: hello, stream: true };

  const streams = await Promise.all([
    firstBytes(team.key, '/api/jobs/create-and-call-stream', singleCallBody(team)),
    firstBytes(team.key, '/v1/chat/completions', chat),
  ]);

  for (const { text, afterMs, jobId } of streams) {
    expect(text).toBe(': keepalive\n');
    expect(afterMs).toBeGreaterThan(14_500);
    expect(afterMs).toBeLessThan(20_000);
    expectOk(await as(gateway, team).post(`/api/jobs/${jobId}/cancel`));
  }
});

/** The first bytes of a stream, and the time from its head to them. */
async function firstBytes(key: string, path: string, body: object) {
  const leaving = new AbortController();
  const response = await fetch(gateway.current.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const startedAt = performance.now();
  const { value } = await response.body!.getReader().read();
  const afterMs = performance.now() - startedAt;
  leaving.abort();
  return { text: new TextDecoder().decode(value), afterMs, jobId: response.headers.get('x-job-id') };
}
