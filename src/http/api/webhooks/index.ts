import { deleteWebhook } from './delete-webhook.ts';
import { getDelivery } from './get-delivery.ts';
import { getWebhook } from './get-webhook.ts';
import { listAllDeliveries } from './list-all-deliveries.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { redeliver } from './redeliver.ts';
import { redeliverFailed } from './redeliver-failed.ts';
import { redeliverMany } from './redeliver-many.ts';
import { registerWebhook } from './register-webhook.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

export const webhookRoutes = [
  registerWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  listDeliveries,
  testWebhook,
  redeliver,
  redeliverFailed,
  redeliverMany,
  listAllDeliveries,
  getDelivery,
];
