import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Config, receiverPolicy } from '../../config.ts';
import { type Change, writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { invalid } from '../../errors.ts';
import { webhookUrlProblem } from '../../webhook-delivery/webhook-url.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

interface ChangedWebhook {
  webhook_id: string;
  team_id: string;
}

/** The part of the body's validation that depends on a setting. */
export function requireWebhookUrl(config: Config, webhookUrl: string): void {
  const problem = webhookUrlProblem(webhookUrl, receiverPolicy(config));
  if (problem) throw invalid(['body', 'webhook_url'], problem);
}

/**
 * Audits admins and teams alike, because with a team's key its events can be sent elsewhere. The entry is without the URL, which
 * may contain a token. The same change of one webhook is audited once a minute.
 */
export async function auditWebhook(
  entities: SqlEntityManager,
  context: ServiceContext,
  action: string,
  { webhook_id, team_id }: ChangedWebhook,
  details: Change['details'] = {},
): Promise<void> {
  const change = { action, resource_type: 'webhook', resource_id: webhook_id, details: { team_id, ...details } };
  await writeRepeatableEntry(entities, context, change);
}

/** A webhook has changed, or has a new delivery: published to open consoles. */
export const publishWebhook = ({ changes }: ServiceDeps, { webhook_id, team_id }: ChangedWebhook): void =>
  changes.publish('webhooks', { webhook_id, team_id });
