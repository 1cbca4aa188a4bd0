import ipaddr from 'ipaddr.js';

/** `host`: a name or an address, IPv6 without brackets. True: only programs of the same machine reach it. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}
