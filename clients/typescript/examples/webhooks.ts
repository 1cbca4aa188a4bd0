/** A receiver of webhooks. `WEBHOOK_SECRETS` has the secret, or during a replacement both, separated by commas. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@job-gateway/client';

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(',');
/** In a real receiver a table: deliveries come at least once. */
const processed = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, secrets);
    const id = String(request.headers['webhook-id']);
    if (!processed.has(id)) {
      processed.add(id);
      if (event.event === 'job.completed') console.log(`${event.job_id} was charged ${event.data.credits_charged}`);
      else console.log(event.event);
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 0), () => console.log(`listening on ${JSON.stringify(server.address())}`));
