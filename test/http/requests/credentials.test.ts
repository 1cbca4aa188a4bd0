import { sendRequest } from '../../support/send-request.ts';
import { echoGateway, jobId } from './echo-gateway.ts';

const { url, key } = echoGateway();

const withHeader = (headers: Record<string, string>) => sendRequest(url(), 'get', `/test/things/${jobId}`, { headers });

test.each([
  ['none', {}],
  ['another scheme', { authorization: 'Basic YWJj' }],
  ['no token', { authorization: 'Bearer' }],
  ['two tokens', { authorization: 'Bearer  x y' }],
  ['garbage', { authorization: 'Bearer garbage' }],
  ['a key with a wrong checksum', { authorization: `Bearer sk-${'a'.repeat(48)}` }],
  ['a long token', { authorization: `Bearer ${'a'.repeat(10_000)}` }],
  ['an admin key that is none', { 'x-admin-key': 'garbage' }],
] as [string, Record<string, string>][])(
  '%s is a 401 with a challenge (spec 1.4, spec 2.2, spec 2.5)',
  async (_what, headers) => {
    const answer = await withHeader(headers);

    expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  },
);

test('the platform key is accepted by either header, with the scheme in either case (spec 2.1)', async () => {
  expect((await withHeader({ authorization: `bearer ${key()}` })).status).toBe(200);
  expect((await withHeader({ 'x-admin-key': key() })).status).toBe(200);
});

test.each(['Bearer  ', 'BEARER   '])(
  'a bearer token after the scheme "%s", with more than one space, is accepted (spec 2.1)',
  async (scheme) => {
    expect((await withHeader({ authorization: `${scheme}${key()}` })).status).toBe(200);
  },
);

test('if both headers are present the admin key decides (spec 2.1)', async () => {
  expect((await withHeader({ authorization: `Bearer ${key()}`, 'x-admin-key': 'wrong' })).status).toBe(401);
});
