import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { Webhook } from '../../../../db/entities/webhook.ts';
import { refuse } from '../../../../errors.ts';
import type { Caller } from '../../../../services/caller.ts';

/** Refuses another team's webhook; an admin may use any. */
export function requireOwnWebhook(caller: Caller, webhook: { team_id: string }): void {
  if (caller.kind === 'team' && caller.teamId !== webhook.team_id) throw refuse('webhook_of_another_team');
}

/** The webhook, if the caller may see it: an unknown one is a 404, another team's a 403. */
export async function getWebhookForCaller(
  entities: SqlEntityManager,
  caller: Caller,
  webhookId: string,
): Promise<Webhook> {
  const webhook = await entities.findOne(Webhook, { webhook_id: webhookId });
  if (!webhook) throw refuse('webhook_not_found', webhookId);
  requireOwnWebhook(caller, webhook);
  return webhook;
}

/** The same, locked until the end of the transaction. */
export async function lockOwnWebhook(entities: SqlEntityManager, caller: Caller, webhookId: string): Promise<Webhook> {
  const webhook = await getWebhookForCaller(entities, caller, webhookId);
  const locked = await entities.refresh(webhook, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!locked) throw refuse('webhook_not_found', webhookId);
  return locked;
}
