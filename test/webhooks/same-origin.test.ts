import { haveSameOrigin } from '../../src/webhooks/webhook-url.ts';

test.each([
  ['another path and query', 'https://a.example/one?x=1', 'https://a.example/two'],
  ['the default port of https', 'https://a.example/', 'https://a.example:443/'],
  ['the default port of http', 'http://a.example:80/', 'http://a.example/'],
  ['the case of scheme and host', 'HTTPS://A.Example/', 'https://a.example/'],
  ['a dot at the end of the host', 'https://a.example./', 'https://a.example/'],
  ['an international name and its ASCII form', 'https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ['two spellings of an IPv6 address', 'https://[2606:2800:0:0::1]:8443/', 'https://[2606:2800::1]:8443/'],
  ['two spellings of an IPv4 address', 'http://0x5db8d822/', 'http://93.184.216.34/'],
])('%s makes no other origin', (_, one, other) => {
  expect(haveSameOrigin(one, other)).toBe(true);
});

test.each([
  ['another scheme', 'https://a.example/', 'http://a.example/'],
  ['another scheme on the same port', 'https://a.example:8443/', 'http://a.example:8443/'],
  ['another host', 'https://a.example/', 'https://b.example/'],
  ['a subdomain', 'https://a.example/', 'https://x.a.example/'],
  ['a longer host', 'https://a.example/', 'https://a.example.evil.example/'],
  ['another port', 'https://a.example/', 'https://a.example:444/'],
  ["the other scheme's port", 'https://a.example/', 'https://a.example:80/'],
  ['a URL that cannot be read', 'https://', 'https://'],
])('%s is another origin', (_, one, other) => {
  expect(haveSameOrigin(one, other)).toBe(false);
});
