import type { Socket } from 'node:net';
import { networkOf } from '../../src/holders/network.ts';
import { clientAddress } from '../../src/http/client-address.ts';

test.each([
  ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address written as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['another address of its network', '2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['a link-local address with its zone', 'fe80::1%eth0', 'fe80::/64'],
  ['no address', '', ''],
])('limits count %s as one client', (_what, address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['198.51.100.6', '198.51.100.6'],
  ['198.51.100.6:40001', '198.51.100.6'],
  ['2001:db8::6', '2001:db8::6'],
  ['[2001:db8::6]', '2001:db8::6'],
  ['[2001:db8::6]:40001', '2001:db8::6'],
  ['::ffff:198.51.100.6', '198.51.100.6'],
  ['::FFFF:c633:6406', '198.51.100.6'],
  ['[::ffff:198.51.100.6]:40001', '198.51.100.6'],
  ['2001:0DB8:0::6', '2001:db8::6'],
  ['unknown', '10.0.0.1'],
  ['_hidden:40001', '10.0.0.1'],
  ['198.51.100.600:40001', '10.0.0.1'],
  ['x'.repeat(3_000), '10.0.0.1'],
  [undefined, '10.0.0.1'],
])('the address of a client that a proxy reports as %s is canonical', (ip, address) => {
  expect(clientAddress({ ip, socket: { remoteAddress: '10.0.0.1' } as Socket })).toBe(address);
});

test('a connection over IPv4 to an IPv6 socket has the same address as one to an IPv4 socket', () => {
  const addressOf = (remoteAddress: string) => clientAddress({ ip: undefined, socket: { remoteAddress } as Socket });

  expect(addressOf('::ffff:198.51.100.6')).toBe(addressOf('198.51.100.6'));
});
