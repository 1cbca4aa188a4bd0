import { CallFailedError, JobGateway } from '../../clients/typescript/src/index.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, hello } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const clientOf = ({ key, teamId }: GivenTeam) => new JobGateway({ baseUrl: gateway.current.url, apiKey: key, teamId });
const messages = [{ role: 'user' as const, content: 'Tell me about rivers' }];

test('try', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const client = clientOf(team);
  const job = await client.jobs.create({ job_type: 'report' });
  console.log(job, JSON.stringify(job));
  const answer = await job.call({ model_group: team.modelGroup, messages, purpose: 'outline' });
  console.log(answer);
  let text = '';
  const stream = job.stream({ model_group: team.modelGroup, messages });
  for await (const piece of stream) text += `[${piece}]`;
  console.log(text, await stream.finalResponse());
  const call = await job.call({ model_group: team.modelGroup, messages, background: true });
  console.log(call, await call.wait(), await call.stream().finalResponse(), (await call.stop()).status);
  console.log(await job.complete());
  console.log(
    (await client.jobs.list({ status: 'completed', limit: 1 }).toArray()).map((one) => one.job_id),
    (await job.refresh()).status,
  );
  console.log(await client.jobs.createAndCall({ job_type: 'one', model: team.modelGroup, messages }));
  console.log(
    await client.jobs.createAndStreamCall({ job_type: 'one', model: team.modelGroup, messages }).finalResponse(),
  );
  console.log(
    await client.jobs.run(
      { job_type: 'run' },
      async (run) => (await run.call({ model_group: team.modelGroup, messages })).response.content,
    ),
  );
  console.log(await client.team.getCredits());
});
