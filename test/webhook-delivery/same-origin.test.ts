import { haveSameOrigin } from '../../src/webhook-delivery/webhook-url.ts';

test.each([
  ['path and query', 'https://a.example/one?x=1', 'https://a.example/two'],
  ['an explicit default port of https', 'https://a.example/', 'https://a.example:443/'],
  ['an explicit default port of http', 'http://a.example:80/', 'http://a.example/'],
  ['the case of scheme and host', 'HTTPS://A.Example/', 'https://a.example/'],
  ['a dot at the end of the host', 'https://a.example./', 'https://a.example/'],
  ['the ASCII form of an international name', 'https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ['the spelling of an IPv6 address', 'https://[2606:2800:0:0::1]:8443/', 'https://[2606:2800::1]:8443/'],
  ['the spelling of an IPv4 address', 'http://0x5db8d822/', 'http://93.184.216.34/'],
])('URLs that differ in %s have the same origin', (_, one, other) => {
  expect(haveSameOrigin(one, other)).toBe(true);
});

test.each([
  ['in their scheme', 'https://a.example/', 'http://a.example/'],
  ['in their scheme and have the same port', 'https://a.example:8443/', 'http://a.example:8443/'],
  ['in their host', 'https://a.example/', 'https://b.example/'],
  ['by a subdomain', 'https://a.example/', 'https://x.a.example/'],
  ['by a longer host', 'https://a.example/', 'https://a.example.evil.example/'],
  ['in their port', 'https://a.example/', 'https://a.example:444/'],
  ['by the port of another scheme', 'https://a.example/', 'https://a.example:80/'],
])('URLs that differ %s have different origins', (_, one, other) => {
  expect(haveSameOrigin(one, other)).toBe(false);
});

test('URLs that cannot be parsed have different origins', () => {
  expect(haveSameOrigin('https://', 'https://')).toBe(false);
});
