import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Config, receiverPolicy } from '../../config.ts';
import { attentionEvents, teamEvents, type WebhookEvent } from '../../contracts/webhooks.ts';
import { type Change, writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { invalid } from '../../errors.ts';
import { webhookUrlProblem } from '../../webhook-delivery/webhook-url.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

interface ChangedWebhook {
  webhook_id: string;
  /** Of one of the installation there is none. */
  team_id?: string | null | undefined;
}

/** The part of the body's validation that depends on a setting. */
export function requireWebhookUrl(config: Config, webhookUrl: string): void {
  const problem = webhookUrlProblem(webhookUrl, receiverPolicy(config));
  if (problem) throw invalid(['body', 'webhook_url'], problem);
}

/** A team gets no events of the installation, and the installation none of teams. */
export function requireEventsOf(
  { team_id = null }: Pick<ChangedWebhook, 'team_id'>,
  events: readonly WebhookEvent[] = [],
): void {
  const offered: readonly WebhookEvent[] = team_id === null ? attentionEvents : teamEvents;
  const at = events.findIndex((event) => !offered.includes(event));
  if (at < 0) return;
  const whose = team_id === null ? 'the installation' : 'a team';
  throw invalid(['body', 'events', at], `Input should be an event of ${whose}: ${offered.join(', ')}`, 'enum');
}

/**
 * Audits admins and teams alike, because with a team's key its events can be sent elsewhere. The entry is without the URL, which
 * may contain a token. The same change of one webhook is audited once a minute.
 */
export async function auditWebhook(
  entities: SqlEntityManager,
  context: ServiceContext,
  action: string,
  { webhook_id, team_id = null }: ChangedWebhook,
  details: Change['details'] = {},
): Promise<void> {
  const change = { action, resource_type: 'webhook', resource_id: webhook_id, details: { team_id, ...details } };
  await writeRepeatableEntry(entities, context, change);
}

/** A webhook has changed, or has a new delivery: published to open consoles. */
export const publishWebhook = ({ changes }: ServiceDeps, { webhook_id, team_id = null }: ChangedWebhook): void =>
  changes.publish('webhooks', { webhook_id, team_id });
