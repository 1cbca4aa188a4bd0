/** A job of three calls, charged once. The functions of `run` may throw: the job is then failed, and free. */
import { type ChatMessage, JobGateway, PaymentRequiredError } from '@job-gateway/client';

const gateway = new JobGateway();
const ask = (content: string): ChatMessage[] => [{ role: 'user', content }];

try {
  const { result, costs } = await gateway.jobs.run(
    { job_type: 'quarterly_report', budget: { max_calls: 5 } },
    async (job) => {
      const outline = await job.call({
        model_group: 'smart',
        purpose: 'outline',
        messages: ask('Outline a report on rivers.'),
      });
      const chapters = ['The Nile', 'The Rhine'].map((title) =>
        job.call({
          model_group: 'smart',
          purpose: title,
          messages: ask(`${outline.response.content}\n\nWrite: ${title}`),
        }),
      );
      return Promise.all(chapters);
    },
  );
  console.log(result.map(({ response }) => response.content).join('\n'));
  console.log(`${costs.total_calls} calls, charged: ${costs.credit_applied}, left: ${costs.credits_remaining}`);
} catch (error) {
  if (!(error instanceof PaymentRequiredError)) throw error;
  console.error('The budget of the job is spent', error.body);
}
