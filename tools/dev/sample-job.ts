import type { Gateway } from './bring-up-gateway.ts';
import { type Caller, callGateway, streamFromGateway } from './sample-call.ts';
import type { Say } from './say.ts';

const organization = 'sample-organization';
const team = 'sample-team';
const group = 'sample-chat';

/**
 * One job through the public interface, as a customer would run it. A later start finds the organization and the team of
 * the first (400 "already exists") and goes on with them.
 */
export async function runSampleJob(gateway: Gateway, models: () => Promise<string[]>, say: Say): Promise<void> {
  say('\nA sample job, through the public interface:\n');
  const admin = { url: gateway.url, key: gateway.masterKey, keyName: 'MASTER_KEY', say };
  try {
    await callGateway(
      admin,
      'POST',
      '/api/organizations/create',
      { organization_id: organization, name: 'Sample' },
      [200, 400],
    );
    await makeModelGroup(admin, await models());
    const virtualKey = await makeTeam(admin);
    await runJob({ ...admin, key: virtualKey, keyName: 'virtual key' });
  } catch (error) {
    say(`The sample job stopped: ${(error as Error).message}.\nThe gateway runs all the same.`);
  }
}

async function makeModelGroup(admin: Caller, names: string[]): Promise<void> {
  const models = names.map((model_name, priority) => ({ model_name, priority }));
  const body = { group_name: group, display_name: 'Sample chat', description: 'Made by npm start', models };
  const { status } = await callGateway(admin, 'POST', '/api/model-groups/create', body, [200, 400]);
  // The upstream may be another one than last time.
  if (status === 400) await callGateway(admin, 'PUT', `/api/model-groups/${group}`, { models });
}

async function makeTeam(admin: Caller): Promise<string> {
  const body = { organization_id: organization, team_id: team, model_groups: [group], credits_allocated: 100 };
  const created = await callGateway(admin, 'POST', '/api/teams/create', body, [200, 400]);
  if (created.status === 200) return String(created.body.virtual_key);
  const { credits } = (await callGateway(admin, 'GET', `/api/teams/${team}`)).body as {
    credits: { virtual_key: string; credits_remaining: number };
  };
  const more = { credits_amount: 100, reason: 'Another round of sample jobs' };
  if (credits.credits_remaining < 1) await callGateway(admin, 'POST', `/api/teams/${team}/credits/allocate`, more);
  return credits.virtual_key;
}

async function runJob(customer: Caller): Promise<void> {
  const created = await callGateway(customer, 'POST', '/api/jobs/create', { team_id: team, job_type: 'sample_review' });
  const job = `/api/jobs/${created.body.job_id}`;
  const ask = (purpose: string, content: string) => ({
    model_group: group,
    purpose,
    max_tokens: 60,
    messages: [{ role: 'user', content }],
  });
  await callGateway(customer, 'POST', `${job}/llm-call`, ask('outline', 'Outline a review of a quarterly report.'));
  await callGateway(customer, 'POST', `${job}/llm-call`, ask('draft', 'Write the first paragraph of it.'));
  await streamFromGateway(customer, `${job}/llm-call-stream`, ask('summary', 'Sum it up in one sentence.'));
  await callGateway(customer, 'POST', `${job}/complete`, { status: 'completed' });
  await callGateway(customer, 'GET', `/api/teams/${team}/credits`);
}
