import type { z } from 'zod';
import type { WebhookRegistration } from '../../contracts/webhooks.ts';
import { Webhook } from '../../db/entities/webhook.ts';
import { createOnce } from '../../db/sql/create-once.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { refuse } from '../../errors.ts';
import { newWebhookSecret, sealContext } from '../../webhook-delivery/sign-webhook.ts';
import { requireAdmin, requireTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { requireLockedTeam } from '../teams/read-teams.ts';
import { auditWebhook, publishWebhook, requireEventsOf, requireWebhookUrl } from './change-webhook.ts';

/**
 * Registers a webhook and returns it with the secret of its signatures, in plain text. `limit` counts the registration, after the request
 * was found valid. A request that is executed again finds the webhook that it has registered.
 */
export async function registerWebhook(
  context: ServiceContext,
  { team_id, webhook_url, events, auth_header }: z.output<typeof WebhookRegistration>,
  limit: () => Promise<void>,
): Promise<{ webhook: Webhook; secret: string }> {
  const { deps } = context;
  const { config, database, secrets } = deps;
  requireWebhookUrl(config, webhook_url);
  if (team_id === null) requireAdmin(context.caller);
  else requireTeam(context.caller, team_id);
  requireEventsOf({ team_id }, events);
  await limit();
  const webhook_id = context.newId('webhook');
  const create = () =>
    database.transaction(async (entities) => {
      // Registrations at once count each other.
      if (team_id === null) await lockChanges(entities, 'webhooks of the installation');
      else await requireLockedTeam(entities, team_id);
      const most = config.MAX_WEBHOOKS_PER_TEAM;
      const others = await entities.count(Webhook, { team_id, webhook_id: { $ne: webhook_id } });
      if (others >= most) throw refuse('webhooks_at_most', team_id, String(most));
      const made = entities.create(Webhook, {
        webhook_id,
        team_id,
        webhook_url,
        events,
        secret_sealed: secrets.seal(newWebhookSecret(), sealContext.secret(webhook_id)),
        auth_header_sealed: auth_header ? secrets.seal(auth_header, sealContext.authHeader(webhook_id)) : null,
      });
      await entities.persist(made).flush();
      await auditWebhook(entities, context, 'registered_webhook', made, { events });
      return made;
    });
  const webhook = await createOnce(create, () => database.entities().findOne(Webhook, { webhook_id }));
  // Only a request that is executed again finds its own id in use, and then it finds the webhook that it made.
  if (!webhook) throw new Error('a webhook was deleted while its registration was repeated');
  publishWebhook(deps, webhook);
  return { webhook, secret: secrets.open(Buffer.from(webhook.secret_sealed), sealContext.secret(webhook_id)) };
}
