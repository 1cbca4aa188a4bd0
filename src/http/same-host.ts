import ipaddr from 'ipaddr.js';
import { trimEnd } from '../domain/formats/trim-end.ts';

/** One spelling for each name and address. */
export function spelled(host: string): string {
  const name = trimEnd(host.toLowerCase(), '.').replace(/^\[|\]$/g, '');
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
}

/**
 * Whether an origin, as browsers send it, has this host and port, in any spelling: upper case, a dot at the end, a port that its
 * scheme has anyway, an IPv6 address written out, letters beyond ASCII. `Origin: null` has none.
 */
export function hasAuthority(origin: string | undefined, authority: string | undefined): boolean {
  const own = URL.parse(origin ?? '');
  const requested = own && /^https?:$/.test(own.protocol) && authority && URL.parse(`${own.protocol}//${authority}`);
  if (!requested) return false;
  return spelled(own.hostname) === spelled(requested.hostname) && own.port === requested.port;
}
