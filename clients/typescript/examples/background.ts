/** A call that outlives the process that makes it. `background.ts` prints its ids; `background.ts <job_id> <call_id>` waits for the answer. */
import { CallFailedError, JobGateway } from '@job-gateway/client';

const gateway = new JobGateway();
const [jobId, callId] = process.argv.slice(2);

if (jobId && callId) {
  const job = await gateway.jobs.retrieve(jobId);
  const call = await job.calls.retrieve(callId);
  try {
    const { response } = await call.wait({ timeout: 600_000 });
    console.log(response.content);
    await job.complete();
  } catch (error) {
    if (!(error instanceof CallFailedError)) throw error;
    await job.fail(error.message);
  }
} else {
  const job = await gateway.jobs.create({ job_type: 'summary', external_task_id: 'order-4711' });
  const call = await job.call({
    model_group: 'smart',
    messages: [{ role: 'user', content: 'Sum it up.' }],
    background: true,
  });
  console.log(call.job_id, call.call_id);
}
