import ipaddr from 'ipaddr.js';

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
