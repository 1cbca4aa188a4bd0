import { isIP } from 'node:net';
import { isLoopback } from '../config.ts';
import { trimEnd } from '../domain/formats/trim-end.ts';
import { mayBePublic } from '../public-address.ts';
import { createAddressCheck, isAllowedPort, type ReceiverPolicy } from './receiver-policy.ts';

const maxLength = 2_048;
const authorityPattern = /^https?:\/\/([^/?#]+)/i;

const formatPorts = ({ ports }: ReceiverPolicy): string =>
  ports.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');

/** Whether the name may lead to an allowed address: its addresses are checked when a connection is made. */
const mayBeAllowed = (name: string, { allowPrivateNetworks }: ReceiverPolicy): boolean =>
  allowPrivateNetworks === true || (allowPrivateNetworks === 'loopback' && isLoopback(name)) || mayBePublic(name);

const notAllowed = ({ allowPrivateNetworks }: ReceiverPolicy): string =>
  allowPrivateNetworks === true
    ? 'URL leads to a network that the setting WEBHOOK_DENIED_NETWORKS refuses'
    : 'URL should lead to a public address; the setting WEBHOOK_ALLOW_PRIVATE_NETWORKS=true (or loopback) allows others';

/**
 * What is wrong with the URL of a webhook, as far as the URL shows; undefined if nothing. The host is checked as the URL parser
 * returns it, because the parser accepts many spellings of an address. The addresses of a host name are checked when a connection
 * is made. `spec 11.4`
 */
export function webhookUrlProblem(text: string, policy: ReceiverPolicy): string | undefined {
  if (text.length > maxLength) return `URL should have at most ${maxLength} characters`;
  // The parser removes some of these characters and reads others as slashes; the stored URL should be the requested one.
  if (/[\s\\\p{Cc}]/u.test(text)) return 'URL should not contain spaces, backslashes or control characters';
  const authority = authorityPattern.exec(text)?.[1];
  if (!authority) return 'URL should begin with http:// or https:// and name a host';
  if (authority.includes('@')) return 'URL should not contain a user or a password';
  if (text.includes('#')) return 'URL should not contain a fragment';
  const url = URL.parse(text);
  if (!url) return 'Input should be a valid URL';
  if (/(^|\.)\./.test(url.hostname)) return 'URL should name a host without empty labels';
  if (url.port === '0') return 'URL should not name port 0';
  if (!isAllowedPort(policy, url.protocol, url.port))
    return `URL should name one of the ports ${formatPorts(policy)}, which the setting WEBHOOK_PORTS changes`;
  const host = trimEnd(url.hostname.replace(/^\[(.*)\]$/, '$1'), '.');
  if (isIP(host) ? !createAddressCheck(policy)(host) : !mayBeAllowed(host, policy)) return notAllowed(policy);
  return undefined;
}

/**
 * Scheme, host and port as the URL parser returns them; the port is empty if it is the default. A host with a dot at its end is the
 * same host, because names are resolved without search domains.
 */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.hostname.replace(/\.$/, '')}:${url.port}` : undefined;
}

/** Whether two URLs lead to the same receiver. False if one of them cannot be parsed. */
export function haveSameOrigin(one: string, other: string): boolean {
  const origin = originOf(one);
  return origin !== undefined && origin === originOf(other);
}
