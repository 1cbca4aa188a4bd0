import type { Gateway } from '../../support/gateway.ts';
import { type Answer, type RequestOptions, sendRequest } from '../../support/send-request.ts';

/** What a script of the console's own page sends with each request. */
const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };

/** The cookie that an answer sets, as a browser sends it back; undefined without one, and for one that is cleared. */
export function cookieIn({ headers }: Answer): string | undefined {
  const [pair = ''] = (headers.get('set-cookie') ?? '').split(';');
  return pair.endsWith('=') || pair === '' ? undefined : pair;
}

export type Given = { email: string; password: string } | { virtual_key: string };

/** Signs in, and sends requests with the cookie as a page of the console does. */
export function browserIn(gateway: { readonly current: Pick<Gateway, 'url'> }) {
  const signIn = (given: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    sendRequest(gateway.current.url, 'post', '/api/session', { body: given, headers });
  return {
    signIn,
    async signedIn(given: Given, headers?: Record<string, string>) {
      const answer = await signIn(given, headers);
      const cookie = cookieIn(answer);
      if (!cookie) throw new Error(`not signed in: ${answer.text}`);
      const send = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
        sendRequest(gateway.current.url, method, path, {
          ...options,
          headers: { cookie, ...fromOwnPage, ...headers, ...options.headers },
        });
      return { cookie, session: answer.body, send, get: (path: string) => send('get', path) };
    },
  };
}

export type Browser = Awaited<ReturnType<ReturnType<typeof browserIn>['signedIn']>>;
