import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request whose head has been sent. */
export interface SentHead {
  sendBody(): Promise<{ status: number; headers: IncomingMessage['headers']; body: unknown }>;
}

/** Sends the head of a request with a key. Resolves when the service has authenticated it and asks for the body (100 Continue). */
export async function sendHead(url: string, { key, body }: { key: string; body: object }): Promise<SentHead> {
  const json = JSON.stringify(body);
  const sending = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
      expect: '100-continue',
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  return {
    async sendBody() {
      sending.end(json);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      const received = await text(response);
      return { status: response.statusCode!, headers: response.headers, body: JSON.parse(received) };
    },
  };
}
