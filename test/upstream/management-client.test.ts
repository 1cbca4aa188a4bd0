import { createManagementClient } from '../../src/litellm/management-client.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';

const upstream = rawUpstreamForTests();

async function post(baseUrl = upstream.url): Promise<unknown> {
  const client = createManagementClient(baseUrl, 'sk-master');
  try {
    return await client.post('/team/new', { team_id: 'a team' });
  } finally {
    await client.close();
  }
}

test.each(['', '/', '/v1', '/v1/'])(
  'management requests go to the root of a base URL that ends in "%s"',
  async (end) => {
    let path: string | undefined;
    upstream.answer = (response) => {
      path = response.req.url;
      response.end('{"team_id":"a team"}');
    };

    expect(await post(`${upstream.url}${end}`)).toEqual({ team_id: 'a team' });
    expect(path).toBe('/team/new');
  },
);

test('a response with an error status rejects at once with this status, even if its body never ends', async () => {
  upstream.answer = (response) => response.writeHead(404).write('{"detail":');
  const startedAt = performance.now();

  await expect(post()).rejects.toMatchObject({ status: 404 });

  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test.each<[string, typeof upstream.answer]>([
  ['incomplete JSON', (response) => response.end('{"team_id":')],
  ['too large a body', (response) => response.end(`"${'x'.repeat(5 * 1_048_576)}"`)],
  ['no response', (response) => response.destroy()],
])('%s rejects without a status, because the upstream may have executed the request', async (_, answer) => {
  upstream.answer = answer;

  await expect(post()).rejects.toMatchObject({ name: 'ManagementFailure', status: undefined });
});
