import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { trimEnd } from '../domain/trim-end.ts';

/** All that IPv6 assigns to public hosts; the mapped, compatible and translated forms of IPv4 lie outside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** A public address by its number that leads to the platform on every host of its cloud (Azure). */
const platformAddresses = new Set(['168.63.129.16']);

/** True for an address that belongs to one host of the public internet. `spec 11.4` */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || platformAddresses.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/** RFC 6761, 6762 and 8375, and ICANN's `internal`: names in private networks. */
const privateName = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/;

/** False for the host of a parsed URL that is private without any look-up, such as a name without a dot. */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host)) return isPublicAddress(host);
  const name = trimEnd(host.toLowerCase(), '.');
  return name.includes('.') && !privateName.test(name);
}
