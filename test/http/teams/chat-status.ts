import type { Gateway } from '../../support/gateway.ts';
import { sendRequest } from '../../support/send-request.ts';

/** What the upstream itself answers to a chat with this key. */
export async function chatStatus(gateway: Gateway, key: string, model = 'sim-ok'): Promise<number> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  return (await sendRequest(gateway.simulator.url, 'post', '/chat/completions', { key, body })).status;
}
