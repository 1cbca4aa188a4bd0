import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { untilRequested } from '../../support/until-requested.ts';

const held = 4_194_304;
const gateway = gatewayForTests({ settings: { HELD_BYTES: String(held) } });
const given = givenIn(gateway);

/** Almost all that one team may hold. */
const longText = 'x'.repeat(held / 4 - 1_000);
const messages = [{ role: 'user', content: longText }];

const inJob = async (model: string) => {
  const team = await given.team({ models: [model], tpm_limit: 1_000_000_000 });
  return { team, job: await given.job(team) };
};

test.each([
  ['llm-call', 'sim-hang', (job: string) => `/api/jobs/${job}/llm-call`, {}],
  ['llm-call-stream', 'sim-stream-stall-1', (job: string) => `/api/jobs/${job}/llm-call-stream`, {}],
  ['chat completion', 'sim-hang', () => '/v1/chat/completions', {}],
  ['streamed chat completion', 'sim-stream-stall-1', () => '/v1/chat/completions', { stream: true }],
])(
  'the long body of a %s is not held once the call is recorded: further ones of its team reach the model (spec 9.6)',
  async (_kind, model, pathOf, fields) => {
    gateway.current.simulator.clearRequests();
    const { team, job } = await inJob(model);
    const body = { model: team.modelGroup, model_group: team.modelGroup, messages, ...fields };
    const calls = [1, 2, 3].map(() => as(gateway, team).post(pathOf(job), body, { 'x-job-id': job }));

    await untilRequested(gateway, model, 3);

    for (const request of gateway.current.simulator.requestsFor({ model }))
      expect(JSON.stringify(request.body)).toContain(longText);
    expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));
    await Promise.all(calls);
  },
);
