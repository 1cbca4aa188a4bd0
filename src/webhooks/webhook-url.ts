import { isIP } from 'node:net';
import { mayBePublic } from './public-address.ts';
import { createAddressCheck, isAllowedPort, type ReceiverPolicy } from './receiver-policy.ts';

const longest = 2_048;
const authorityOf = /^https?:\/\/([^/?#]+)/i;

const portsOf = ({ ports }: ReceiverPolicy): string =>
  ports.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');

/**
 * What is wrong with the URL of a webhook, as far as the URL itself shows; undefined if nothing. The URL parser reads every
 * spelling of an address, so the host is judged as parsed. The addresses of a name are judged on connecting. `spec 11.4`
 */
export function webhookUrlProblem(text: string, policy: ReceiverPolicy): string | undefined {
  if (text.length > longest) return `URL should have at most ${longest} characters`;
  // The parser drops some of these characters and reads others as slashes: the stored URL is to be the requested one.
  if (/[\s\\\p{Cc}]/u.test(text)) return 'URL should not contain spaces, backslashes or control characters';
  const authority = authorityOf.exec(text)?.[1];
  if (!authority) return 'URL should begin with http:// or https:// and name a host';
  if (authority.includes('@')) return 'URL should not contain a user or a password';
  if (text.includes('#')) return 'URL should not contain a fragment';
  const url = URL.parse(text);
  if (!url) return 'Input should be a valid URL';
  if (/(^|\.)\./.test(url.hostname)) return 'URL should name a host without empty labels';
  if (url.port === '0') return 'URL should not name port 0';
  if (!isAllowedPort(policy, url.protocol, url.port)) return `URL should name one of the ports ${portsOf(policy)}`;
  if (!policy.allowPrivateNetworks && !mayBePublic(url.hostname)) return 'URL should lead to a public address';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && !createAddressCheck(policy)(host)) return 'URL should lead to a public address';
  return undefined;
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Scheme, host and port as the URL parser reads them. A dot at the end makes no other host: names are looked up without search domains. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  const { protocol, hostname, port } = url;
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port || defaultPorts[protocol]}`;
}

/** Whether two URLs name the same receiver. False where one of them cannot be read. */
export function haveSameOrigin(one: string, other: string): boolean {
  const origin = originOf(one);
  return origin !== undefined && origin === originOf(other);
}
