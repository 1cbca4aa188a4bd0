import { freePort } from '../../tools/dev/services/free-port.ts';
import { readEvents } from '../support/events.ts';
import { startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { sendRequest } from '../support/send-request.ts';

describe.each(['on', 'off'])('with all optimisations %s:', (setting) => {
  const settings = { SPECULATIVE_START: setting };
  const gateway = openedForTests(async () =>
    startGateway({ settings: { ...settings, METRICS_PORT: String(await freePort()) } }),
  );
  const given = givenIn(gateway);

  /** The names of the optimisations whose metric has counted something. */
  async function counted(): Promise<string[]> {
    const { url, masterKey, config } = gateway.current;
    const ofApi = await sendRequest(url, 'get', '/metrics', { key: masterKey });
    const ofWorker = await sendRequest(`http://127.0.0.1:${config.METRICS_PORT}`, 'get', '/metrics');
    const samples = /^gateway_(speculative_starts)_total\{/gm;
    return [...new Set([...(ofApi.text + ofWorker.text).matchAll(samples)].map(([, name]) => name!))].sort();
  }

  test('a job with calls and a stream and a create-and-call cost one credit each, and the metrics count the optimisations that are on', async () => {
    const team = await given.team({ credits: 5 });
    const job = await given.job(team);

    expectOk(await as(gateway, team).call(job));
    const streamed = await as(gateway, team).stream(job);
    expectOk(await as(gateway, team).call(job));
    const { costs } = expectOk(await as(gateway, team).complete(job));
    const single = expectOk(await as(gateway, team).single());

    expect(readEvents(streamed.text).at(-1)).toBe('[DONE]');
    expect(costs).toMatchObject({ total_calls: 3, failed_calls: 0, credit_applied: true, credits_remaining: 4 });
    expect(single).toMatchObject({ status: 'completed', costs: { credit_applied: true, credits_remaining: 3 } });
    expect(await counted()).toEqual(setting === 'on' ? ['speculative_starts'] : []);
  });
});
