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

test.each(['', '/', '/v1', '/v1/'])('management is at the root, also of a base URL that ends in "%s"', async (end) => {
  let path: string | undefined;
  upstream.answer = (response) => {
    path = response.req.url;
    response.end('{"team_id":"a team"}');
  };

  expect(await post(`${upstream.url}${end}`)).toEqual({ team_id: 'a team' });
  expect(path).toBe('/team/new');
});

test('a refusal is told by its status at once, even when its body never ends', async () => {
  upstream.answer = (response) => response.writeHead(404).write('{"detail":');
  const begun = performance.now();

  await expect(post()).rejects.toMatchObject({ status: 404 });

  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each<[string, typeof upstream.answer]>([
  ['half of its JSON', (response) => response.end('{"team_id":')],
  ['more than it may', (response) => response.end(`"${'x'.repeat(5 * 1_048_576)}"`)],
  ['nothing', (response) => response.destroy()],
])('an upstream that answers %s may or may not have done it', async (_, answer) => {
  upstream.answer = answer;

  await expect(post()).rejects.toMatchObject({ name: 'ManagementFailure', status: undefined });
});
