import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { trimEnd } from './domain/formats/trim-end.ts';

/** The range of public IPv6 hosts. The mapped, compatible and translated forms of IPv4 are outside of it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Azure's address in the public range that leads to the platform itself, from every host in that cloud. */
const platformAddresses = new Set(['168.63.129.16']);

/** Whether it is the address of a host on the public internet. `spec 11.4` */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || platformAddresses.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

/**
 * Names of private networks: RFC 6761, 6762 with its appendix G, and 8375, ICANN's `internal`, those of Kubernetes and Consul, and one of the metadata
 * of Google's cloud.
 */
const privateName =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|consul|home\.arpa|metadata\.goog)$/;

/** False if the host of a parsed URL is private whatever it resolves to, such as a name without a dot. */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host)) return isPublicAddress(host);
  const name = trimEnd(host.toLowerCase(), '.');
  return name.includes('.') && !privateName.test(name);
}
