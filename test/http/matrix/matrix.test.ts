import { randomUUID } from 'node:crypto';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';
import { accessRules, expected, type Outcome, type Who } from './access-rules.ts';
import { type Credential, everyCredential } from './credentials.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
const document: Json = openApiDocument(routes);
const specs = routes
  .filter(({ spec }) => !spec.withHeader)
  .map(({ spec }) => ({ ...spec, path: spec.path.replace('{+', '{') }));

let world: Awaited<ReturnType<typeof everyCredential>>;
beforeAll(async () => {
  world = await everyCredential(gateway);
});

type Target = Record<'team_id' | 'organization_id' | 'job_id' | 'webhook_id' | 'delivery_id', string> & {
  modelGroup: string;
};

/** What the requests are about: all of it the own team's, and new, because some requests take it away. */
async function ownTarget(team: GivenTeam, path: string): Promise<Target> {
  const job_id = path.includes('{job_id}') ? await given.job(team) : randomUUID();
  const [webhook_id, delivery_id] = /\{(webhook|delivery)_id\}/.test(path) ? await webhookOf(team) : ['', ''];
  const { teamId: team_id, organizationId: organization_id, modelGroup } = team;
  return { team_id, organization_id, job_id, webhook_id, delivery_id, modelGroup };
}

async function webhookOf(team: GivenTeam): Promise<[string, string]> {
  const { post } = as(gateway, team);
  const registration = { team_id: team.teamId, webhook_url: gateway.current.simulator.url, events: ['job.failed'] };
  const { webhook_id } = expectOk(await post('/api/webhooks/register', registration));
  const { delivery_id } = expectOk(await post(`/api/webhooks/${webhook_id}/test`));
  return [webhook_id, delivery_id];
}

/** What admins are sent to where their request would change something: an allowed request then ends at a 404. */
const nowhere = (): Target => ({
  team_id: unique('nowhere'),
  organization_id: unique('nowhere'),
  job_id: randomUUID(),
  webhook_id: randomUUID(),
  delivery_id: randomUUID(),
  modelGroup: unique('nowhere'),
});

/** The example of the documentation, about the target. */
function bodyFor(method: string, path: string, target: Target): Json {
  const example = document.paths[path][method].requestBody?.content['application/json'].example;
  if (!example) return undefined;
  const instead: Record<string, unknown> = {
    ...target,
    model_group: target.modelGroup,
    model: target.modelGroup,
    model_groups: [target.modelGroup],
    email: `${unique('user')}@example.com`,
    role: 'user',
    group_name: unique('group'),
    alias_name: unique('alias'),
    webhook_url: gateway.current.simulator.url,
  };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, instead[name] ?? value]));
}

function pathFor(path: string, target: Target): string {
  const values: Record<string, string> = {
    ...target,
    model: target.modelGroup,
    group_name: unique('group'),
    alias_name: unique('alias'),
    job_type: unique('type'),
    call_id: randomUUID(),
    user_id: path.endsWith('/change-password') ? 'me' : randomUUID(),
    session_id: randomUUID(),
  };
  const query = path.startsWith('/api/teams/') && /\/(usage|statement)$/.test(path) ? '?period=2026-01' : queries[path];
  return (
    path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name]!) + (query ?? '').replace('TEAM', target.team_id)
  );
}

const queries: Record<string, string> = {
  '/api/organizations/{organization_id}/usage': '?period=2026-01',
  '/api/credits/balance': '?team_id=TEAM',
  '/api/credits/transactions': '?team_id=TEAM',
  '/api/search': '?q=TEAM',
  '/api/webhooks': '?team_id=TEAM',
  '/api/model-groups/{group_name}/resolve': '?team_id=TEAM',
};

const isAdmin = (who: Who) => ['platform key', 'owner', 'admin'].includes(who);

/** A stream that has no end: its head is the answer. */
async function openStream(path: string, headers: Record<string, string>): Promise<Answer> {
  const leaving = new AbortController();
  const response = await fetch(`${gateway.current.url}${path}`, { headers, signal: leaving.signal });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const text = isStream ? '' : await response.text();
  leaving.abort();
  return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) };
}

function send(method: string, path: string, own: Target, { who, headers }: Credential): Promise<Answer> {
  if (path === '/api/events') return openStream(path, headers);
  const target = isAdmin(who) && method !== 'get' ? nowhere() : own;
  return sendRequest(gateway.current.url, method, pathFor(path, target), {
    headers,
    body: bodyFor(method, path, target),
  });
}

/** Undefined when the answer is as the rules have it. */
function failureOf(answer: Answer, required: Outcome, operation: Json): string | undefined {
  const { status, body, headers } = answer;
  if (!operation.responses[status]) return `${status} is not documented: ${answer.text}`;
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (required === 'allowed')
    return [401, 403, 405].includes(status) || status >= 500 ? `${status} ${answer.text}` : undefined;
  if (status !== required) return `${status} instead of ${required}: ${answer.text}`;
  const ofAnthropic = body.type === 'error' && [Object.keys(body), Object.keys(body.error)].join(';');
  const isErrorAlone = ofAnthropic
    ? ofAnthropic === 'type,error,request_id;type,message,details'
    : body.error
      ? Object.keys(body.error).join() === 'message,type,param,code'
      : Object.keys(body).join() === 'detail,code' && typeof body.detail === 'string';
  if (!isErrorAlone) return `says too much: ${answer.text}`;
  if (status === 401 && headers.get('www-authenticate') !== 'Bearer') return 'no challenge';
  return undefined;
}

test('every route has an access rule, and every access rule a route', () => {
  const present = specs.map(({ method, path }) => `${method} ${path}`);

  expect(present.toSorted()).toEqual(Object.keys(accessRules).toSorted());
});

test.each(specs.map(({ method, path }) => [method, path] as const))(
  '%s %s is answered by credential as its access rule states (spec 1.4, spec 2.1, spec 2.2, spec 2.3, spec 2.9)',
  async (method, path) => {
    const rule = accessRules[`${method} ${path}`]!;
    const operation = document.paths[path][method];
    const target = await ownTarget(world.own, path);
    const failures: Record<string, string> = {};

    // Who is refused first: some of the others take away what the request is about.
    const isAllowed = ({ who }: Credential) => Number(expected(who, rule) === 'allowed');
    const inTurn = world.credentials.toSorted((a, b) => isAllowed(a) - isAllowed(b));
    for (const credential of inTurn) {
      if (endsSessions(method, path) && ['owner', 'admin', 'user'].includes(credential.who)) continue;
      const failure = failureOf(
        await send(method, path, target, credential),
        expected(credential.who, rule),
        operation,
      );
      if (failure && !isLoginFailure(path, failure)) failures[credential.name] = failure;
    }

    expect(failures).toEqual({});
  },
);

const endsSessions = (method: string, path: string) =>
  path === '/api/admin-users/logout' || (method === 'delete' && ['/api/session', '/api/admin-users/me'].includes(path));

/** To log in with a wrong password, or to use a link that nobody made, is a 401 for everybody. */
const isLoginFailure = (path: string, failure: string) =>
  failure.includes('invitation_invalid') ||
  (['/api/admin-users/login', '/api/session'].includes(path) && failure.includes('Invalid email or password'));

test('an admin user of any role can log out, once', async () => {
  const key = await world.freshToken();
  const logOut = () => sendRequest(gateway.current.url, 'post', '/api/admin-users/logout', { key });

  expect((await logOut()).status).toBe(200);
  expect((await logOut()).status).toBe(401);
});

test('a wrong admin key is refused, also with a valid team key beside it (spec 2.1)', async () => {
  const headers = { authorization: `Bearer ${world.own.key}`, 'x-admin-key': 'wrong' };
  const path = `/api/teams/${world.own.teamId}`;

  expect((await sendRequest(gateway.current.url, 'get', path, { headers })).status).toBe(401);
  const both = { ...headers, 'x-admin-key': gateway.current.masterKey };
  expect((await sendRequest(gateway.current.url, 'post', '/api/jobs/create', { headers: both, body: {} })).status).toBe(
    403,
  );
});
