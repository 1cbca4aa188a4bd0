import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Actor, Change } from '../../../../db/audit/audit-entry.ts';
import { writeRepeatableEntry } from '../../../../db/audit/audit-entry.ts';
import type { Webhook } from '../../../../db/entities/webhook.ts';

/**
 * For admins and teams alike, because with a team's key its events can be sent elsewhere. Without the URL, which may contain a token. The
 * same change of one webhook is audited once a minute. */
export async function auditWebhook(
  entities: SqlEntityManager,
  actor: Actor,
  action: string,
  { webhook_id, team_id }: Pick<Webhook, 'webhook_id' | 'team_id'>,
  details: Change['details'] = {},
): Promise<void> {
  const change = { action, resource_type: 'webhook', resource_id: webhook_id, details: { team_id, ...details } };
  await writeRepeatableEntry(entities, actor, change);
}
