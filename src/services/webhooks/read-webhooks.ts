import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { Webhook, type WebhookDelivery } from '../../db/entities/webhook.ts';
import type { KeysetPage } from '../../db/sql/read-keyset-page.ts';
import {
  listWebhooks as list,
  readLastStatusCode,
  type WebhookOrder,
  type WebhookScope,
} from '../../db/webhooks/list-webhooks.ts';
import { refuse } from '../../errors.ts';
import { type Caller, requireOwnRecord, visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

export type { Webhook, WebhookDelivery };

type Reading = Pick<ServiceContext, 'deps' | 'caller'>;

/** Refuses another team's webhook; an admin may use any. */
export function requireOwnWebhook(caller: Caller, webhook: { team_id?: string | null | undefined }): void {
  requireOwnRecord(caller, webhook, 'webhook_of_another_team');
}

/** The webhook, if the caller may see it: an unknown one is a 404, another team's a 403. */
export async function getWebhookForCaller(
  { deps, caller }: Reading,
  webhookId: string,
  entities: SqlEntityManager = deps.database.entities(),
): Promise<Webhook> {
  const webhook = await entities.findOne(Webhook, { webhook_id: webhookId });
  if (!webhook) throw refuse('webhook_not_found', webhookId);
  requireOwnWebhook(caller, webhook);
  return webhook;
}

/** The same, locked until the end of the transaction. */
export async function lockOwnWebhook(
  context: Reading,
  webhookId: string,
  entities: SqlEntityManager,
): Promise<Webhook> {
  const webhook = await getWebhookForCaller(context, webhookId, entities);
  const locked = await entities.refresh(webhook, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!locked) throw refuse('webhook_not_found', webhookId);
  return locked;
}

/** A webhook with the status of the last attempt at its newest delivery that was tried. */
export async function getWebhookWithFailures(context: Reading, webhookId: string) {
  const webhook = await getWebhookForCaller(context, webhookId);
  return { webhook, lastStatusCode: await readLastStatusCode(context.deps.database, webhook.webhook_id) };
}

/** A page of the webhooks of one team, the oldest first, or of all, those that fail first, unless another order is wanted. */
export async function listWebhooks(
  context: Reading,
  {
    team_id,
    scope,
    order,
    ...page
  }: KeysetPage & {
    team_id?: string | undefined;
    scope?: WebhookScope | undefined;
    order?: WebhookOrder | undefined;
  },
) {
  const { deps, caller } = context;
  const ofTeam = team_id ?? visibleTeam(caller);
  if (ofTeam !== undefined) await requireOwnTeam(context, ofTeam);
  const ordered = order ?? (ofTeam === undefined ? 'failing' : 'oldest');
  const listed = await list(deps.database, { team_id: ofTeam, scope, order: ordered }, page);
  return { ...listed, team_id: ofTeam, order: ordered };
}
