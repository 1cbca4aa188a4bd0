import type { Gateway } from './gateway.ts';
import { type Answer, sendRequest } from './send-request.ts';

/** Sends requests with the platform key. A refusal is returned like any other answer. */
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
