import { createTeamRegistration } from '../../src/litellm/team-registration.ts';
import { createLog } from '../../src/log.ts';
import type { LoggedRequest } from '../../tools/simulator/request-log.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { sendRequest } from '../support/send-request.ts';
import { litellmForTests } from './litellm.ts';

const litellm = litellmForTests([]);
const newKey = () => `sk-${crypto.randomUUID().replaceAll('-', '')}`;

/** Every request that registration sends, as the simulator receives it. */
async function requestsOfRegistration(): Promise<LoggedRequest[]> {
  const simulator = await startSimulator({ masterKey: 'sk-simulator-master' });
  const registration = createTeamRegistration(
    {
      UPSTREAM_BASE_URL: simulator.url,
      UPSTREAM_MASTER_KEY: 'sk-simulator-master',
      UPSTREAM_TEAM_KEYS: 'litellm',
      UPSTREAM_USD_PER_CREDIT: '0.10',
    },
    createLog('silent', 'test'),
  );
  const team = {
    team_id: 'acme/review',
    proxy_team_id: 'acme/review upstream',
    team_alias: null,
    organization_id: 'acme',
    proxy_organization_id: 'acme upstream',
    suspended: false,
    models: [],
    max_budget: null,
    credits_allocated: 3,
    credit_limit: 3,
    virtual_key: newKey(),
  };
  await registration.register(team);
  await registration.update({ ...team, team_alias: 'Review', models: ['gpt-4o'], credit_limit: null });
  await registration.restore({ ...team, suspended: true }, true);
  const second = { ...team, virtual_key: newKey() };
  await registration.addKey(second);
  await registration.endKey(team, team.virtual_key, 3_600);
  await registration.endKey(second, second.virtual_key, 0);
  await registration.retract(team);
  await Promise.all([registration.close(), simulator.close()]);
  return simulator.requests.filter(({ method }) => method === 'POST');
}

interface OpenApi {
  paths: Record<string, { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }>;
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
}

test('the request models of LiteLLM have every field that registration sends, and its routes accept the bodies', async () => {
  const requests = await requestsOfRegistration();
  const { url, masterKey } = litellm.current;
  const { paths, components }: OpenApi = (await sendRequest(url, 'get', '/openapi.json')).body;
  expect(new Set(requests.map(({ path }) => path))).toEqual(
    new Set(
      ['new', 'update', 'delete']
        .map((verb) => `/team/${verb}`)
        .concat(['/key/generate', '/key/update', '/key/delete']),
    ),
  );

  for (const { path, body } of requests) {
    const model = paths[path]!.post.requestBody.content['application/json'].schema.$ref.split('/').at(-1)!;
    expect(Object.keys(components.schemas[model]!.properties)).toEqual(
      expect.arrayContaining(Object.keys(body as Record<string, unknown>)),
    );
    const answer = await sendRequest(url, 'post', path, { key: masterKey, body });
    expect([path, answer.status, answer.text]).toEqual([
      path,
      expect.any(Number),
      expect.not.stringContaining('"loc"'),
    ]);
    // A team that is created again, or is gone already, is refused; an invalid body is a 422.
    expect([200, 400, 404]).toContain(answer.status);
  }
});

test('LiteLLM answers an invalid body with 422', async () => {
  const { url, masterKey } = litellm.current;

  const answer = await sendRequest(url, 'post', '/team/new', { key: masterKey, body: { team_id: 5 } });

  expect(answer.status).toBe(422);
});
