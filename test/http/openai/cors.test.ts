import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { hello } from './chat.ts';

const page = 'https://chat.example.com';
const gateway = gatewayForTests({ settings: { CORS_ORIGINS: `${page}, http://localhost:3000` } });
const closed = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const preflight = (url: string, origin: string) =>
  sendRequest(url, 'options', '/v1/chat/completions', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-lang,x-job-id',
    },
  });

test('a preflight of a permitted origin reflects the requested headers (spec 17.27)', async () => {
  const { status, headers } = await preflight(gateway.current.url, page);

  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(page);
  expect(headers.get('access-control-allow-methods')).toContain('POST');
  expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type,x-stainless-lang,x-job-id');
});

test('answers to a permitted origin expose the headers of the service, and the caches keep origins apart (spec 17.27)', async () => {
  const team = await given.team();
  const send = (key: string) =>
    sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
      key,
      body: { model: team.modelGroup, messages: hello },
      headers: { origin: page },
    });

  const [answer, refused] = [await send(team.key), await send('sk-wrong')];

  for (const { headers } of [answer, refused]) {
    expect(headers.get('access-control-allow-origin')).toBe(page);
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(',');
    const own = [...headers.keys()].filter((name) => /^x-(job|call|request|ratelimit|ignored|should)/.test(name));
    expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after', 'retry-after-ms']));
    expect(headers.get('vary')).toMatch(/Authorization.*Origin/);
  }
  expect([answer.status, refused.status]).toEqual([200, 401]);
});

test('another origin gets no permission (spec 17.27)', async () => {
  const { headers } = await preflight(gateway.current.url, 'https://evil.example');

  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('without the setting no origin gets permission, and OPTIONS is a method that the path does not have', async () => {
  const { status, headers } = await preflight(closed.current.url, page);

  expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null]);
});
