import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('the history of a closed workflow contains its activities and search attributes, and no prompt, answer or key', async () => {
  const prompt = 'canary-of-the-prompt';
  const team = await given.team({ models: ['sim-echo'] });
  const job = await given.job(team);
  const messages = [{ role: 'user', content: prompt }];
  const { response } = expectOk(await as(gateway, team).call(job, { messages, purpose: 'summary' }));
  await as(gateway, team).stream(job, { messages });
  expectOk(await as(gateway, team).complete(job));
  const { client } = gateway.current.deps.temporal;
  const handle = client.workflow.getHandle(workflowId.job(job));

  const [description, history] = [await handle.describe(), await handle.fetchHistory()];
  const text = decoded(historyToJSON(history));

  expect(response.content).toContain(prompt);
  expect(description.status.name).toBe('COMPLETED');
  expect(description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
    expect.arrayContaining([
      ['TeamId', team.teamId],
      ['OrganizationId', team.organizationId],
      ['JobType', 'report'],
      ['JobStatus', 'completed'],
    ]),
  );
  expect(text).toContain(`summary · ${team.modelGroup} · `);
  for (const activity of ['callUpstream', 'settleJob']) expect(text).toContain(activity);
  for (const secret of [prompt, team.key, gateway.current.masterKey, gateway.current.config.UPSTREAM_MASTER_KEY]) {
    expect(text).not.toContain(secret);
  }
});

test('the history of a job with a failed call contains neither the prompt nor the upstream model', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const job = await given.job(team);
  await as(gateway, team).call(job, { messages: [{ role: 'user', content: 'canary-of-the-prompt' }] });
  expectOk(await as(gateway, team).complete(job));

  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));
  const text = decoded(historyToJSON(await handle.fetchHistory()));

  expect(text).not.toContain('canary-of-the-prompt');
  expect(text).not.toContain('sim-fail-400');
});

/** Adds to a history its base64 payloads, decoded. */
function decoded(text: string): string {
  const payloads = [...text.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, data]) =>
    Buffer.from(data!, 'base64').toString(),
  );
  return [text, ...payloads].join('\n');
}
