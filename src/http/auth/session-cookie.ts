import type { Request } from 'express';
import { maxTokenCharacters } from '../../auth/tokens.ts';
import { isLoopback } from '../../config.ts';
import { publicPath } from '../console/find-public-path.ts';
import type { Deps } from '../ports.ts';
import { hasAuthority } from '../same-host.ts';

/** Browsers keep a cookie of this prefix only over https, with `Secure`, for this host alone and for every path. */
const securePrefix = '__Host-';

const fixedAttributes = 'Path=/; HttpOnly; SameSite=Strict';

/** Cookies of the same name that a request is looked through for: other paths and domains of the browser may have set some. */
const maxCookies = 5;

type Installation = Pick<Deps, 'secrets' | 'config'>;

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

/**
 * The names of the cookie, of which new sessions get the first. Browsers send a cookie to every port of its host and, over https,
 * under every `PUBLIC_PATH`, so that the name is one of the installation, of its key and its database: two of them on a host, or
 * another program, would sign each other out. While MASTER_KEY_PREVIOUS is set, the name of that key is read too.
 */
function cookieNames(
  { secrets, config }: Installation,
  request: Request,
  what: 'session' | 'sign-in' = 'session',
): string[] {
  const database = new URL(config.DATABASE_URL).pathname;
  const ids = secrets.lookupHashes(`session cookie of ${database}`).map((hash) => hash.toString('hex').slice(0, 10));
  return ids.map((id) => `${isSecure(request) ? securePrefix : ''}gateway-${what}-${id}`);
}

export function newSessionCookie(installation: Installation, request: Request): SessionCookie {
  const [name] = cookieNames(installation, request);
  const attributes = isSecure(request) ? `${fixedAttributes}; Secure` : fixedAttributes;
  return {
    setCookie: (token) => `${name}=${token}; ${attributes}`,
    clearCookie: `${name}=; ${attributes}; Max-Age=0`,
    isFromOtherOrigin: isFromOtherOrigin(request),
  };
}

/** The tokens that the browser sent in cookies of this installation. */
export function readSessionTokens(installation: Installation, request: Request): string[] {
  const { cookie = '' } = request.headers;
  if (!cookie.includes('gateway-session-')) return [];
  const tokens = valuesOf(cookie, cookieNames(installation, request));
  return [...new Set(tokens)].filter((token) => token && token.length <= maxTokenCharacters).slice(0, maxCookies);
}

const valuesOf = (cookie: string, names: readonly string[]): string[] =>
  cookie.split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return names.includes(name) ? [value.join('=')] : [];
  });

/** The cookie that binds a sign-in at an identity provider to the browser that has begun it. */
export interface SignInCookie {
  setCookie(value: string): string;
  clearCookie: string;
  /** The one that the request has brought. */
  value: string | undefined;
}

/** A person has so long to sign in at the identity provider. */
const signInSeconds = 600;

/** `SameSite=Lax`: the browser comes back from another site. */
export function newSignInCookie(installation: Installation, request: Request): SignInCookie {
  const names = cookieNames(installation, request, 'sign-in');
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure(request) ? '; Secure' : ''}`;
  return {
    setCookie: (value) => `${names[0]}=${value}; ${attributes}; Max-Age=${signInSeconds}`,
    clearCookie: `${names[0]}=; ${attributes}; Max-Age=0`,
    value: valuesOf(request.headers.cookie ?? '', names).find((value) => value.length <= maxTokenCharacters),
  };
}

/** The address of the service as a browser knows it, without a slash at its end. */
export interface SentTo {
  origin: string;
  /** The path that a proxy has removed. */
  publicPath: string;
  /** The query as it was sent, with its question mark. */
  query: string;
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** A browser keeps the cookies of this service over https, or over plain http on its own machine: so the scheme is known. */
export const sentTo = (config: Installation['config'], request: Request): SentTo => ({
  origin: `${isSecure(request) ? 'https' : 'http'}://${request.host}`,
  publicPath: publicPath(config, request),
  query: queryOf(request.originalUrl),
});

/** The `Origin` of a request names the host that the request was sent to. */
const isOwnOrigin = ({ headers, host }: Request): boolean => hasAuthority(headers.origin, host);

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
