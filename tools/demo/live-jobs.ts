import { type GatewayClient, gatewayClient } from './gateway-client.ts';
import { keyOfTeam } from './set-up.ts';
import { type DemoTeam, demoTeams } from './story.ts';

async function runJob(client: GatewayClient, team: DemoTeam, end: 'completed' | 'cancelled' | 'open'): Promise<string> {
  const { job_type, steps } = team.jobTypes[0]!;
  const { job_id } = (await client.send('POST', '/api/jobs/create', {
    team_id: team.team_id,
    job_type,
    user_id: team.users[0],
    metadata: { region: 'eu', channel: 'portal' },
  })) as { job_id: string };
  for (const { purpose, group, prompt } of end === 'completed' ? steps : steps.slice(0, 1))
    await client.send('POST', `/api/jobs/${job_id}/llm-call`, {
      model_group: group,
      purpose,
      max_tokens: 60,
      messages: [{ role: 'user', content: prompt }],
    });
  if (end === 'completed') await client.send('POST', `/api/jobs/${job_id}/complete`, { status: 'completed' });
  if (end === 'cancelled') await client.send('POST', `/api/jobs/${job_id}/cancel`, { reason: 'The customer withdrew' });
  return job_id;
}

/** A job that has reached a cap of its budget: somebody has to raise it, or to end the job. */
async function runIntoBudget(client: GatewayClient, team: DemoTeam): Promise<void> {
  const { job_type, steps } = team.jobTypes[0]!;
  const budget = { max_calls: steps.length - 1, max_cost_usd: 0.1 };
  const job = await client.send('POST', '/api/jobs/create', { team_id: team.team_id, job_type, budget });
  for (const { purpose, group, prompt } of steps)
    await client.send(
      'POST',
      `/api/jobs/${job.job_id}/llm-call`,
      { model_group: group, purpose, max_tokens: 60, messages: [{ role: 'user', content: prompt }] },
      [402],
    );
}

/** Its receiver does not exist, so that its deliveries fail. */
async function registerWebhook(client: GatewayClient, { team_id }: DemoTeam): Promise<void> {
  const { total } = (await client.send('GET', `/api/webhooks?team_id=${team_id}`)) as { total: number };
  if (total > 0) return;
  const events = ['job.completed', 'job.failed', 'job.cancelled', 'job.budget_reached', 'credits.threshold'];
  const body = { team_id, webhook_url: 'https://hooks.northwind.example/jobs', events };
  await client.send('POST', '/api/webhooks/register', body);
}

/** Jobs of this minute, with a webhook, a refund, and jobs that stay open. Returns how many. */
export async function runLiveJobs(url: string, admin: GatewayClient): Promise<number> {
  let jobs = 0;
  for (const team of demoTeams) {
    const client = gatewayClient(url, await keyOfTeam(admin, team));
    if (team === demoTeams[0]) await registerWebhook(client, team);
    const charged = await runJob(client, team, 'completed');
    for (const end of ['completed', 'completed', 'cancelled', 'open'] as const) await runJob(client, team, end);
    await admin.send('POST', `/api/teams/${team.team_id}/credits/refund`, { job_id: charged, reason: 'The answer was wrong' }, [409]); // biome-ignore format: one request
    await runIntoBudget(client, team);
    jobs += 6;
  }
  return jobs;
}
