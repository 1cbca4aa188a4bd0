import { type Config, receiverPolicy } from '../../../../config.ts';
import { invalid } from '../../../../errors.ts';
import { webhookUrlProblem } from '../../../../webhook-delivery/webhook-url.ts';

/** The part of the body's validation that depends on a setting. */
export function requireWebhookUrl(config: Config, webhookUrl: string): void {
  const problem = webhookUrlProblem(webhookUrl, receiverPolicy(config));
  if (problem) throw invalid(['body', 'webhook_url'], problem);
}
