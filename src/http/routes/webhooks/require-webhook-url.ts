import type { Config } from '../../../config.ts';
import { invalid } from '../../../errors.ts';
import { problemOfWebhookUrl } from '../../../webhooks/check-webhook-url.ts';

/** The part of the body's validation that depends on a setting. */
export function requireWebhookUrl(config: Config, webhookUrl: string): void {
  const problem = problemOfWebhookUrl(webhookUrl, config.WEBHOOK_ALLOW_PRIVATE_NETWORKS);
  if (problem) throw invalid(['body', 'webhook_url'], problem);
}
