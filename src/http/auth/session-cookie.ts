import type { Request } from 'express';
import { maxTokenCharacters } from '../../auth/tokens.ts';
import { isLoopback } from '../../config.ts';

/** Browsers keep a cookie of this prefix only over https, with `Secure`, for this host alone and for every path. */
const secureName = '__Host-session';
/** The cookie over http between programs of one machine, where some browsers keep no cookie with `Secure`. */
const loopbackName = 'session';

const fixedAttributes = 'Path=/; HttpOnly; SameSite=Strict';

/** The cookie that holds the token of a session in a browser. It has no end of its own: the session has one. `spec 19.1` */
export interface SessionCookie {
  /** The value of `Set-Cookie` for a new session. */
  setCookie(token: string): string;
  /** The one that makes the browser forget it. */
  clearCookie: string;
  /** The request comes from a page of another origin, as far as its headers show. */
  isFromOtherOrigin: boolean;
}

/** `X-Forwarded-Proto` counts where Express trusts the proxy. */
const isSecure = ({ secure, socket }: Request): boolean => secure || !isLoopback(socket.localAddress ?? '');

export function newSessionCookie(request: Request): SessionCookie {
  const secure = isSecure(request);
  const name = secure ? secureName : loopbackName;
  const attributes = secure ? `${fixedAttributes}; Secure` : fixedAttributes;
  return {
    setCookie: (token) => `${name}=${token}; ${attributes}`,
    clearCookie: `${name}=; ${attributes}; Max-Age=0`,
    isFromOtherOrigin: isFromOtherOrigin(request),
  };
}

/** The token that the browser sent; undefined without one. */
export function readSessionToken(request: Request): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const begin = `${isSecure(request) ? secureName : loopbackName}=`;
  const pair = cookie
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(begin));
  const token = pair?.slice(begin.length);
  return token && token.length <= maxTokenCharacters ? token : undefined;
}

/** The `Origin` of a request names the host that the request was sent to. */
function isOwnOrigin({ headers, host }: Request): boolean {
  const { origin = '' } = headers;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function isFromOtherOrigin(request: Request): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // `none`: typed into the address bar.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !isOwnOrigin(request);
}

/**
 * A page of the console states with `X-Console: 0` that nobody has used it since its request before: what it requests by itself does not
 * keep a session. `spec 19.3`
 */
export const isBackgroundRequest = ({ headers }: Request): boolean => headers['x-console'] === '0';

/**
 * Whether a script of a page of this very origin sent the request. Other origins cannot set `X-Console`, nor send a wrong
 * `Sec-Fetch-Site` or `Origin`. `spec 19.3`
 */
export function isFromOwnPage(request: Request): boolean {
  const site = request.headers['sec-fetch-site'];
  const isSameOrigin = site === undefined ? isOwnOrigin(request) : site === 'same-origin';
  return isSameOrigin && request.headers['x-console'] === '1';
}
