import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** `203.0.113.7:40001`, `[2001:db8::7]:40001`: some proxies name the port too, and it is another one for each connection. */
const withPort = /^(?:\[(.+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/;

/** The client's address, for limits and the audit log: that of the connection where a trusted proxy names none. */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? ip;
  return isIP(address) ? address : (socket.remoteAddress ?? '');
}

/** A customer of an access provider gets this many bits of an IPv6 address or fewer, and chooses the rest. */
const ipv6PrefixBits = 64;

/**
 * What limits count as one client: an IPv4 address, or an IPv6 network of 64 bits, of which a single client can use every
 * address. An IPv4 address written as IPv6 is that IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split('%')[0]}/${ipv6PrefixBits}`)}/${ipv6PrefixBits}`;
}
