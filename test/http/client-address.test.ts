import { networkOf } from '../../src/http/client-address.ts';

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
