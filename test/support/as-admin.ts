import type { Gateway } from './gateway.ts';
import { type Answer, sendRequest } from './send-request.ts';

/** The requests of whoever holds the platform key; a refusal is an answer like any other. */
export function asAdmin(gateway: { readonly current: Gateway }) {
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
      sendRequest(gateway.current.url, method, path, { key: gateway.current.masterKey, body, headers });
  return {
    get: (path: string) => send('get')(path),
    post: send('post'),
    put: send('put'),
    patch: send('patch'),
    delete: (path: string) => send('delete')(path),
  };
}
