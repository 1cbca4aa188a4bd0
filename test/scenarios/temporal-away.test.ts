import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn, hello } from '../support/given.ts';
import { services } from '../support/services.ts';

let proxy: Awaited<ReturnType<typeof startFreezingProxy>>;
let current: Gateway;
beforeAll(async () => {
  proxy = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
  current = await startGateway({ settings: { TEMPORAL_ADDRESS: new URL(proxy.url).host } });
});
afterAll(async () => {
  await proxy.close();
  await current.close();
});

test('while Temporal is frozen what needs it is 503 and never charged, and reads go on', async () => {
  const gateway = { current };
  const team = await givenIn(gateway).team({ credits: 5 });
  const job = await givenIn(gateway).job(team);
  const single = { team_id: team.teamId, job_type: 'summary', model: team.modelGroup, messages: hello };

  proxy.freeze();
  const answers = await Promise.all([
    as(gateway, team).call(job),
    as(gateway, team).stream(job),
    as(gateway, team).complete(job),
    as(gateway, team).post('/api/jobs/create-and-call', single),
    as(gateway, team).post('/api/jobs/create-and-call-stream', single),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('pending');
  expect(expectOk(await as(gateway, team).get('/api/jobs?status=failed')).total).toBe(2);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
}, 60_000);
