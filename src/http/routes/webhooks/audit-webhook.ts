import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Actor, Change } from '../../../db/audit.ts';
import { writeAuditEntry } from '../../../db/queries/write-audit-entry.ts';

/** The audit log records admins; a team that manages its own webhooks is not one. Never the URL, because it may hold a token. */
export async function auditWebhook(
  entities: SqlEntityManager,
  actor: Actor,
  action: string,
  webhookId: string,
  details: Change['details'] = {},
): Promise<void> {
  if (actor.caller.kind === 'team') return;
  await writeAuditEntry(entities, actor, { action, resource_type: 'webhook', resource_id: webhookId, details });
}
