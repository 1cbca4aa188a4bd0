import type { Print } from './print.ts';
import { type Caller, callGateway, streamFromGateway } from './sample-client.ts';
import type { Gateway } from './start-gateway.ts';

const organization = 'sample-organization';
const team = 'sample-team';
const group = 'sample-chat';

/**
 * One job through the public interface, as a customer would run it. A later start finds the organization and the team of the first one
 * (400 "already exists") and uses them.
 */
export async function runSampleJob(gateway: Gateway, models: () => Promise<string[]>, print: Print): Promise<void> {
  print('\nA sample job, through the public interface:\n');
  const admin = { url: gateway.url, key: gateway.masterKey, keyName: 'MASTER_KEY', print };
  try {
    await callGateway(
      admin,
      'POST',
      '/api/organizations/create',
      { organization_id: organization, name: 'Sample' },
      [200, 400],
    );
    await createModelGroup(admin, await models());
    const virtualKey = await createTeam(admin);
    await runJob({ ...admin, key: virtualKey, keyName: 'virtual key' });
  } catch (error) {
    print(`The sample job stopped: ${(error as Error).message}.\nThe gateway keeps running.`);
  }
}

async function createModelGroup(admin: Caller, names: string[]): Promise<void> {
  const models = names.map((model_name, priority) => ({ model_name, priority }));
  const body = { group_name: group, display_name: 'Sample chat', description: 'Made by npm start', models };
  const { status } = await callGateway(admin, 'POST', '/api/model-groups/create', body, [200, 400]);
  // The upstream may differ from that of the last start.
  if (status === 400) await callGateway(admin, 'PUT', `/api/model-groups/${group}`, { models });
}

async function createTeam(admin: Caller): Promise<string> {
  const body = { organization_id: organization, team_id: team, model_groups: [group], credits_allocated: 100 };
  const created = await callGateway(admin, 'POST', '/api/teams/create', body, [200, 400]);
  if (created.status === 200) return String(created.body.virtual_key);
  const { credits } = (await callGateway(admin, 'GET', `/api/teams/${team}`)).body as {
    credits: { virtual_key: string; credits_remaining: number };
  };
  const more = { credits_amount: 100, reason: 'More sample jobs' };
  if (credits.credits_remaining < 1) await callGateway(admin, 'POST', `/api/teams/${team}/credits/allocate`, more);
  return credits.virtual_key;
}

async function runJob(customer: Caller): Promise<void> {
  const created = await callGateway(customer, 'POST', '/api/jobs/create', { team_id: team, job_type: 'sample_review' });
  const job = `/api/jobs/${created.body.job_id}`;
  const callBody = (purpose: string, content: string) => ({
    model_group: group,
    purpose,
    max_tokens: 60,
    messages: [{ role: 'user', content }],
  });
  await callGateway(
    customer,
    'POST',
    `${job}/llm-call`,
    callBody('outline', 'Outline a review of a quarterly report.'),
  );
  await callGateway(customer, 'POST', `${job}/llm-call`, callBody('draft', 'Write the first paragraph of it.'));
  await streamFromGateway(customer, `${job}/llm-call-stream`, callBody('summary', 'Sum it up in one sentence.'));
  await callGateway(customer, 'POST', `${job}/complete`, { status: 'completed' });
  await callGateway(customer, 'GET', `/api/teams/${team}/credits`);
}
