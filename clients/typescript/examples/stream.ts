/** An answer piece by piece. If the connection is cut, or a gateway ends, it goes on where it was. Ctrl-C stops the call with what there is. */
import { JobGateway } from '@job-gateway/client';

const gateway = new JobGateway();
const stream = gateway.jobs.createAndStreamCall({
  job_type: 'poem',
  model: 'smart',
  messages: [{ role: 'user', content: 'A poem about rivers, please.' }],
});
process.once('SIGINT', () => void stream.stop());

for await (const text of stream) process.stdout.write(text);

const { response, usage, job_id } = await stream.finalResponse();
console.log(`\n${response.finish_reason}, ${usage?.total_tokens} tokens, job ${job_id}`);
