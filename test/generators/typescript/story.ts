import { client } from './client/client.gen';
import { callInJob, completeJob, createJob, getJob, getTeamCredits } from './client/sdk.gen';

/** One job by the generated client; prints what the test compares. */
const { BASE_URL: baseUrl, KEY: key, TEAM: team_id = '', MODEL_GROUP: model_group = '' } = process.env;

async function main(): Promise<void> {
  // A key in both headers would be read as the platform key.
  client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) });
  const created = await createJob({ body: { team_id, job_type: 'report' }, throwOnError: true });
  const path = { job_id: created.data.job_id };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const called = await callInJob({ path, body: { model_group, messages, top_p: 0.5 }, throwOnError: true });
  const completed = await completeJob({ path, body: { status: 'completed' }, throwOnError: true });
  const credits = await getTeamCredits({ path: { team_id }, throwOnError: true });
  const refused = await callInJob({ path, body: { model_group, messages } });
  const unknown = await getJob({ path: { job_id: '00000000-0000-4000-8000-000000000000' } });
  const result = {
    created: created.data.status,
    finish_reason: called.data.response.finish_reason,
    completed: completed.data.status,
    calls: completed.data.costs.total_calls,
    charged: completed.data.costs.credit_applied,
    credits: credits.data.credits_remaining,
    codes: [refused.error?.code, unknown.error?.code],
  };
  process.stdout.write(JSON.stringify(result));
}

main().catch((error) => {
  process.stderr.write(String(error?.stack ?? JSON.stringify(error)));
  process.exitCode = 1;
});
