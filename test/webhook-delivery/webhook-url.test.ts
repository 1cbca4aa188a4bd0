import { webhookUrlProblem } from '../../src/webhook-delivery/webhook-url.ts';
import { loopbackPolicy, openPolicy, publicPolicy } from './policies.ts';
import { spelledFor } from './private-spellings.ts';

const allowed = [
  'https://hooks.example.com/jobs',
  'http://hooks.example.com',
  'HTTPS://Hooks.Example.com:8443/jobs?token=a%20b&x=[1]',
  'https://münchen.example/hook',
  'https://hooks.example.com./jobs',
  'https://localhost.example.com/',
  'https://10.example.com/',
  'https://my.local.example/',
  'http://93.184.216.34/',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'http://[2606:2800:220:1:248:1893:25c8:1946]:8080/',
  `https://hooks.example.com/${'a'.repeat(2_048 - 'https://hooks.example.com/'.length)}`,
];

test.each(allowed)('%s is accepted as the URL of a webhook', (url) => {
  expect(webhookUrlProblem(url, publicPolicy)).toBeUndefined();
});

test.each(spelledFor(8080))('%j is refused, as a private or malformed URL (spec 11.4)', (url) => {
  expect(webhookUrlProblem(url, publicPolicy)).toEqual(expect.any(String));
});

const neverAllowed = [
  '',
  'hooks.example.com/jobs',
  '//hooks.example.com/jobs',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com:70/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  'http://',
  'https:///jobs',
  'http://?x',
  'http://#x',
  'http://:80/',
  'https://user@hooks.example.com/',
  'https://user:password@hooks.example.com/',
  'https://@hooks.example.com/',
  'https://:@hooks.example.com/',
  'https://hooks.example.com/#',
  'https://hooks.example.com/#fragment',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:00/',
  'https://hooks.example.com:65536/',
  'https://hooks.example.com:80a/',
  'https://hooks.example.com:-1/',
  'https://hooks example.com/',
  'https://hooks.example.com/a b',
  'https://hooks.example.com/\r\nHost: other',
  'https://hooks.example.com/\u0000',
  'https://hooks.exa<mple.com/',
  'https://hooks..example.com/',
  'https://.example.com/',
  'https://hooks.example.com../',
  'https://./',
  'https://hooks%2E%2Eexample.com/',
  'https://hooks\u3002\u3002example.com/',
  'https://[::1',
  'https://1.2.3.256/',
  'https://1.2.3.4.5/',
  'https://0x100000000/',
  `https://hooks.example.com/${'a'.repeat(2_049 - 'https://hooks.example.com/'.length)}`,
];

test.each(neverAllowed)('%j is refused, even if private networks are allowed', (url) => {
  expect(webhookUrlProblem(url, openPolicy)).toEqual(expect.any(String));
});

test('private addresses and names are accepted if private networks are allowed', () => {
  for (const url of ['http://127.0.0.1:8080/', 'http://localhost:8080/', 'http://receiver:8080/', 'http://[::1]/'])
    expect(webhookUrlProblem(url, openPolicy)).toBeUndefined();
});

test.each([
  'http://hooks.example.com:79/',
  'http://hooks.example.com:22/',
  'https://hooks.example.com:1023/',
  'http://[2606:2800:220:1::1]:25/',
])('%s is refused for its port (spec 11.4)', (url) => {
  expect(webhookUrlProblem(url, openPolicy)).toBe(
    'URL should name one of the ports 80, 443, 1024-65535, which the setting WEBHOOK_PORTS changes',
  );
});

test.each(['http://hooks.example.com:443/', 'https://hooks.example.com:80/', 'https://hooks.example.com:1024/'])(
  '%s is accepted with its port',
  (url) => {
    expect(webhookUrlProblem(url, publicPolicy)).toBeUndefined();
  },
);

test('a URL without a port is refused if the default port of its scheme is not allowed', () => {
  const policy = { ...publicPolicy, ports: [[443, 443]] as const };

  expect(webhookUrlProblem('https://hooks.example.com/', policy)).toBeUndefined();
  expect(webhookUrlProblem('http://hooks.example.com/', policy)).toBe(
    'URL should name one of the ports 443, which the setting WEBHOOK_PORTS changes',
  );
});

test.each([
  ['93.184.216.0/24', 'http://93.184.216.34/'],
  ['93.184.216.0/24', 'http://0x5db8d822/'],
  ['93.184.216.34', 'http://93.184.216.34/'],
  ['93.184.216.99/24', 'http://93.184.216.34/'],
  ['2606:2800::/32', 'http://[2606:2800:220:1::1]/'],
  ['2606:2800:220:1::1', 'https://[2606:2800:0220:1:0:0:0:1]/'],
  ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/'],
  ['10.0.0.0/8', 'http://[64:ff9b::10.1.2.3]/'],
  ['::ffff:10.0.0.0/104', 'http://10.1.2.3/'],
  ['::ffff:0:0/96', 'http://[::ffff:10.1.2.3]/'],
  ['::1', 'http://[::1]/'],
])('with the network %s denied, %s is refused, even if private networks are allowed (spec 11.4)', (network, url) => {
  for (const policy of [publicPolicy, loopbackPolicy, openPolicy])
    expect(webhookUrlProblem(url, { ...policy, deniedNetworks: ['198.51.100.0/24', network] })).toMatch(
      /^URL (should lead to a public address|leads to a network that the setting WEBHOOK_DENIED_NETWORKS refuses)/,
    );
});

test.each([
  ['93.184.217.0/24', 'http://93.184.216.34/'],
  ['64:ff9b::/96', 'http://93.184.216.34/'],
  ['::ffff:0:0/96', 'http://93.184.216.34/'],
  ['::/0', 'http://93.184.216.34/'],
  ['0.0.0.0/0', 'http://[2606:2800:220:1::1]/'],
  ['93.184.216.0/24', 'http://hooks.example.com/'],
])('with the network %s denied, %s outside of it is accepted', (network, url) => {
  expect(webhookUrlProblem(url, { ...publicPolicy, deniedNetworks: [network] })).toBeUndefined();
});

test.each([
  'http://localhost:3000/hook',
  'http://LOCALHOST./hook',
  'http://app.localhost:8080/',
  'http://127.0.0.1:3000/',
  'http://127.1:3000/',
  'http://0x7f000001:3000/',
  'http://[::1]:3000/',
  'http://[::ffff:127.0.0.1]:3000/',
  'https://hooks.example.com/',
])('with the setting loopback, %s is accepted (spec 11.4)', (url) => {
  expect(webhookUrlProblem(url, loopbackPolicy)).toBeUndefined();
});

test.each([
  'http://10.0.0.1:3000/',
  'http://192.168.0.2/',
  'http://169.254.169.254/latest/',
  'http://0.0.0.0:3000/',
  'http://[fe80::1]/',
  'http://[::]:3000/',
  'http://[fd00::1]/',
  'http://printer/',
  'http://localhost.localdomain/',
  'http://metadata.google.internal/',
])('with the setting loopback, %s is refused with the setting that would allow it (spec 11.4)', (url) => {
  expect(webhookUrlProblem(url, loopbackPolicy)).toBe(
    'URL should lead to a public address; the setting WEBHOOK_ALLOW_PRIVATE_NETWORKS=true (or loopback) allows others',
  );
});
