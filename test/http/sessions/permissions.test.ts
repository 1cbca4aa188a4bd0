import { randomUUID } from 'node:crypto';
import { type Permission, permissions } from '../../../src/domain/permissions.ts';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { routes } from '../../../src/http/routes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';
import { type Json, sendRequest } from '../../support/send-request.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admins = adminsIn(gateway);
const browser = browserIn(gateway);
const document: Json = openApiDocument(routes);

/** Routes that a caller may use exactly if it has the permission. A refusal of what the request names is none of the caller. */
const routesOf: Partial<Record<Permission, string[]>> = {
  'jobs:read': ['get /api/jobs', 'get /api/jobs/{job_id}', 'get /api/jobs/{job_id}/costs'],
  'jobs:write': ['patch /api/jobs/{job_id}/metadata', 'post /api/jobs/{job_id}/complete'],
  'jobs:cancel': [
    'post /api/jobs/{job_id}/cancel',
    'post /api/jobs/cancel',
    'post /api/jobs/{job_id}/calls/{call_id}/stop',
  ],
  'jobs:refund': ['post /api/teams/{team_id}/credits/refund'],
  'jobs:budget': ['patch /api/jobs/{job_id}/budget'],
  'jobs:delete-payloads': ['delete /api/jobs/{job_id}/payloads'],
  'credits:write': [
    'post /api/teams/{team_id}/credits/allocate',
    'post /api/teams/{team_id}/credits/adjust',
    'post /api/credits/teams/{team_id}/add',
    'patch /api/credits/teams/{team_id}/conversion-rates',
  ],
  'ledger:read': ['get /api/teams/{team_id}/credits/transactions', 'get /api/teams/{team_id}/credits'],
  'usage:read': ['get /api/teams/{team_id}/usage'],
  'teams:read': ['get /api/teams'],
  'teams:write': [
    'post /api/teams/create',
    'put /api/teams/{team_id}',
    'put /api/teams/{team_id}/model-groups',
    'post /api/teams/{team_id}/suspend',
    'post /api/teams/{team_id}/resume',
    'post /api/teams/{team_id}/rotate-key',
  ],
  'teams:reveal-key': ['post /api/teams/{team_id}/reveal-key'],
  'organizations:read': ['get /api/organizations'],
  'organizations:write': ['post /api/organizations/create', 'put /api/organizations/{organization_id}'],
  'models:read': ['get /api/model-groups', 'get /api/model-aliases', 'get /api/model-access-groups'],
  'models:write': [
    'post /api/model-groups/create',
    'put /api/model-groups/{group_name}',
    'delete /api/model-groups/{group_name}',
    'post /api/model-aliases/create',
    'put /api/model-aliases/{alias_name}',
    'delete /api/model-aliases/{alias_name}',
    'post /api/model-access-groups/create',
    'put /api/model-access-groups/{group_name}',
    'delete /api/model-access-groups/{group_name}',
  ],
  'playground:run': ['get /api/playground', 'post /api/playground/run'],
  'webhooks:read': ['get /api/webhooks/{webhook_id}', 'get /api/webhooks/{webhook_id}/deliveries'],
  'webhooks:write': [
    'post /api/webhooks/register',
    'patch /api/webhooks/{webhook_id}',
    'delete /api/webhooks/{webhook_id}',
    'post /api/webhooks/{webhook_id}/test',
    'post /api/webhooks/deliveries/{delivery_id}/redeliver',
  ],
  'users:read': ['get /api/admin-users'],
  'users:write': ['post /api/admin-users', 'put /api/admin-users/{user_id}', 'delete /api/admin-users/{user_id}'],
  'users:passwords': ['post /api/admin-users/{user_id}/change-password'],
  'teams:view-as': ['post /api/teams/{team_id}/view', 'delete /api/teams/{team_id}/view'],
  'audit:read': ['get /api/admin-users/audit-logs'],
  'system:read': ['get /metrics'],
};

/** Shown by pages whose own endpoints are not listed above. */
const withoutRoute: Permission[] = ['margins:read', 'events:read'];

interface Subject {
  permissions: string[];
  send: (method: string, path: string, body: unknown) => Promise<{ status: number; text: string }>;
}

let teamId = '';
let subjects: Record<string, Subject> = {};

const ofBrowser = ({ session, send }: Browser): Subject => ({
  permissions: session.permissions,
  send: (method, path, body) => send(method, path, { body }),
});

async function ofKey(key: string): Promise<Subject> {
  const send = (method: string, path: string, body?: unknown) =>
    sendRequest(gateway.current.url, method, path, { key, body });
  return { permissions: (await send('get', '/api/session')).body.permissions, send };
}

beforeAll(async () => {
  const team = await given.team();
  teamId = team.teamId;
  const ofRole = async (role: string) => {
    const { email } = await admins.created({ role });
    return ofBrowser(await browser.signedIn({ email, password: goodPassword }));
  };
  subjects = {
    owner: await ofRole('owner'),
    admin: await ofRole('admin'),
    user: await ofRole('user'),
    'team session': ofBrowser(await browser.signedIn({ virtual_key: team.key })),
    'team key': await ofKey(team.key),
    'platform key': await ofKey(gateway.current.masterKey),
  };
}, 120_000);

/** Names what does not exist, so that nothing changes: an allowed request ends at a 404 or 422. */
function requestFor(name: string): [method: string, path: string, body: unknown] {
  const [method = '', path = ''] = name.split(' ');
  const isRead = method === 'get' && path.includes('{team_id}');
  const concrete = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    parameter === 'team_id' && isRead ? teamId : parameter.endsWith('_id') ? randomUUID() : unique('nothing'),
  );
  const body = document.paths[path][method].requestBody ? { role: 'user' } : undefined;
  return [method, concrete, body];
}

const ownerless = /does not belong/;

async function isAllowed({ send }: Subject, name: string): Promise<boolean> {
  const { status, text } = await send(...requestFor(name));
  return ![401, 403].includes(status) || ownerless.test(text);
}

test('each permission has a route, and each route exists', () => {
  const known = routes.map(({ spec }) => `${spec.method} ${spec.path}`);

  expect([...Object.keys(routesOf), ...withoutRoute].sort()).toEqual([...permissions].sort());
  expect(
    Object.values(routesOf)
      .flat()
      .filter((name) => !known.includes(name)),
  ).toEqual([]);
});

test.each(Object.entries(routesOf))(
  'the permission %s is shown to exactly the callers who may use its routes (spec 19.8)',
  async (permission, names) => {
    const differences: string[] = [];

    for (const [who, subject] of Object.entries(subjects))
      for (const name of names!) {
        const allowed = await isAllowed(subject, name);
        if (allowed !== subject.permissions.includes(permission))
          differences.push(`${who}: ${name} is ${allowed ? 'allowed' : 'refused'}`);
      }

    expect(differences).toEqual([]);
  },
);
