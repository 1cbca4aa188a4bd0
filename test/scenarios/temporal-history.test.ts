import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a closed workflow shows what was done, and nothing of what was said', async () => {
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
  for (const activity of ['callUpstream', 'settleJob']) expect(text).toContain(activity);
  for (const secret of [prompt, team.key, gateway.current.masterKey, gateway.current.config.UPSTREAM_MASTER_KEY]) {
    expect(text).not.toContain(secret);
  }
});

test('a failed call leaves nothing of the upstream in the history', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const job = await given.job(team);
  await as(gateway, team).call(job, { messages: [{ role: 'user', content: 'canary-of-the-prompt' }] });
  expectOk(await as(gateway, team).complete(job));

  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.job(job));
  const text = decoded(historyToJSON(await handle.fetchHistory()));

  expect(text).not.toContain('canary-of-the-prompt');
  expect(text).not.toContain('sim-fail-400');
});

test('the end of a call is told with what its client asks next, thirty milliseconds later, in one workflow task', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { workflow } = gateway.current.deps.temporal.client;
  // On a busy machine they miss each other now and then.
  await until(async () => {
    expectOk(await as(gateway, team).call(job));
    await pause(30);
    const { events } = await workflow.getHandle(workflowId.job(job)).fetchHistory();
    return newsOfTasks(events!).some(
      (news) =>
        news.some((event) => event.activityTaskCompletedEventAttributes) &&
        news.some((event) => event.workflowExecutionSignaledEventAttributes),
    );
  });
});

type Events = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

/** What each workflow task was begun for. */
function newsOfTasks(events: Events): Events[] {
  const tasks: Events[] = [];
  const news: Events = [];
  for (const event of events) {
    if (event.workflowTaskStartedEventAttributes) tasks.push(news.splice(0));
    else news.push(event);
  }
  return tasks;
}

/** Payloads travel as base64: each is added in the clear. */
function decoded(text: string): string {
  const payloads = [...text.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, data]) =>
    Buffer.from(data!, 'base64').toString(),
  );
  return [text, ...payloads].join('\n');
}
