import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startGateway } from '../support/gateway.ts';
import { givenIn, hello } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { services } from '../support/services.ts';

/** The times at which the pieces of a stream arrive, in milliseconds from its start. */
async function timesOfPieces(url: string, key: string, body: object, from: number): Promise<number[]> {
  const response = await fetch(`${url}/api/jobs/create-and-call-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const times: number[] = [];
  for await (const _ of response.body!) times.push(Math.round(performance.now() - from));
  return times;
}

test('the pieces of streams go on within 10 s after the connection for subscriptions has fallen silent', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  const current = await startGateway({ settings: { REDIS_URL: proxy.url } });
  closing.defer(() => proxy.close());
  closing.defer(() => current.close());
  const team = await givenIn({ current }).team({ models: ['sim-every-100-tokens-200'] });
  const body = { team_id: team.teamId, job_type: 'report', model: team.modelGroup, messages: hello };
  const from = performance.now();
  const streams = [timesOfPieces(current.url, team.key, body, from)];
  await new Promise((resolve) => setTimeout(resolve, 2_000));

  const silenced = proxy.freezeConnectionThatSends('subscribe');
  streams.push(timesOfPieces(current.url, team.key, body, from));
  await silenced;
  const frozenAt = performance.now() - from;
  const health: string[] = [];
  for (let i = 0; i < 12; i++) {
    const { body } = await sendRequest(current.url, 'get', '/health');
    health.push(`${Math.round(performance.now() - from)}:${body.dependencies.redis}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const all = await Promise.all(streams);
  console.log(
    frozenAt,
    health.join(' '),
    all.map((times) => {
      const gaps = times.slice(1).map((t, i) => [t - times[i]!, times[i]!]);
      return JSON.stringify([times.length, gaps.sort((a, b) => b[0]! - a[0]!).slice(0, 3)]);
    }),
  );
}, 90_000);
