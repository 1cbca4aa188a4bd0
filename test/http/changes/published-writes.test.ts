import type { ChangeKind } from '../../../src/domain/changes.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { readEvents } from './event-reader.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);

interface Situation {
  team: GivenTeam;
  accessGroup: string;
  alias: string;
  webhook: string;
  /** The id of a further key. */
  key: string;
  /** An open job, and one that was charged. */
  job: string;
  charged: string;
}

async function situation(): Promise<Situation> {
  const accessGroup = unique('access');
  const [alias, organizationId] = [unique('alias'), unique('org')];
  await given.organization(organizationId);
  await given.admin('post', '/api/model-access-groups/create', { group_name: accessGroup });
  await given.alias({ alias_name: alias, access_groups: [accessGroup] });
  const team = await given.team({ organizationId, access_groups: [accessGroup], credits: 5 });
  const { webhook_id } = await given.admin('post', '/api/webhooks/register', {
    team_id: team.teamId,
    webhook_url: 'http://127.0.0.1:9/',
    events: ['job.cancelled'],
  });
  const { key_id } = await given.admin('post', `/api/teams/${team.teamId}/keys`, { name: 'first' });
  const [job, charged] = [await given.job(team), await given.job(team)];
  expectOk(await as(gateway, team).complete(charged));
  return { team, accessGroup, alias, webhook: webhook_id, key: key_id, job, charged };
}

type Write = (given: Situation) => Promise<unknown>;
const admin = (method: string, path: (given: Situation) => string, body?: object): Write => {
  return (all) => given.admin(method as 'post', path(all), body as never);
};
const own = (use: (team: ReturnType<typeof as>, all: Situation) => Promise<Parameters<typeof expectOk>[0]>): Write => {
  return async (all) => expectOk(await use(as(gateway, all.team), all));
};

/** Every write of a request on what a page shows, and what it publishes. */
const writes: [string, Write, ChangeKind[]][] = [
  ['creating a job', (all) => given.job(all.team), ['jobs']],
  [
    'changing the metadata of a job',
    own((team, { job }) => team.patch(`/api/jobs/${job}/metadata`, { metadata: { a: 1 } })),
    ['jobs'],
  ],
  ['completing a job', own((team, { job }) => team.complete(job)), ['jobs', 'teams']],
  ['cancelling a job', own((team, { job }) => team.post(`/api/jobs/${job}/cancel`)), ['jobs']],
  [
    'refunding a job',
    (all) => given.admin('post', `/api/teams/${all.team.teamId}/credits/refund`, { job_id: all.charged, reason: 'r' }),
    ['jobs', 'teams'],
  ],
  [
    'allocating credits',
    admin('post', ({ team }) => `/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 1 }),
    ['teams'],
  ],
  [
    'adjusting credits',
    admin('post', ({ team }) => `/api/teams/${team.teamId}/credits/adjust`, { credits_amount: 1, reason: 'r' }),
    ['teams'],
  ],
  ['changing a team', admin('put', ({ team }) => `/api/teams/${team.teamId}`, { team_alias: 'New' }), ['teams']],
  [
    'replacing model groups',
    admin('put', ({ team }) => `/api/teams/${team.teamId}/model-groups`, { model_groups: [] }),
    ['teams'],
  ],
  ['suspending a team', admin('post', ({ team }) => `/api/teams/${team.teamId}/suspend`), ['teams']],
  ['rotating a key', admin('post', ({ team }) => `/api/teams/${team.teamId}/rotate-key`, {}), ['teams']],
  ['creating a key', admin('post', ({ team }) => `/api/teams/${team.teamId}/keys`, { name: 'second' }), ['teams']],
  [
    'changing a key',
    admin('patch', ({ team, key }) => `/api/teams/${team.teamId}/keys/${key}`, { credit_limit: 1 }),
    ['teams'],
  ],
  ['deleting a key', admin('delete', ({ team, key }) => `/api/teams/${team.teamId}/keys/${key}`), ['teams']],
  [
    'changing an organization',
    admin('put', ({ team }) => `/api/organizations/${team.organizationId}`, { status: 'suspended' }),
    ['teams'],
  ],
  [
    'changing an access group',
    admin('put', ({ accessGroup }) => `/api/model-access-groups/${accessGroup}`, { status: 'inactive' }),
    ['teams'],
  ],
  [
    'deleting an access group',
    admin('delete', ({ accessGroup }) => `/api/model-access-groups/${accessGroup}`),
    ['teams'],
  ],
  ['changing an alias', admin('put', ({ alias }) => `/api/model-aliases/${alias}`, { status: 'inactive' }), ['teams']],
  ['deleting an alias', admin('delete', ({ alias }) => `/api/model-aliases/${alias}`), ['teams']],
  [
    'changing a webhook',
    own((team, { webhook }) => team.patch(`/api/webhooks/${webhook}`, { is_active: 0 })),
    ['webhooks'],
  ],
  ['testing a webhook', own((team, { webhook }) => team.post(`/api/webhooks/${webhook}/test`)), ['webhooks']],
  [
    'delivering again what has failed',
    own((team, { webhook }) => team.post(`/api/webhooks/${webhook}/redeliver-failed`, { since: '2026-01-01' })),
    ['webhooks'],
  ],
  ['deleting a webhook', own((team, { webhook }) => team.delete(`/api/webhooks/${webhook}`)), ['webhooks']],
];

test.each(writes)('%s publishes what pages show of it (spec 19.12)', async (_, write, kinds) => {
  const all = await situation();
  const reader = await readEvents(gateway.current.url, { authorization: `Bearer ${gateway.current.masterKey}` });
  await reader.event('ready');
  const before = reader.events.length;

  await write(all);

  const published = () =>
    reader.events
      .slice(before)
      .filter(({ name }) => name === 'changes')
      .flatMap(({ data }) => Object.entries(data as Record<string, { team_id: string }[]>))
      .flatMap(([kind, items]) => (items.some(({ team_id }) => team_id === all.team.teamId) ? [kind] : []));
  await until(() => kinds.every((kind) => published().includes(kind)));
  await reader.leave();
});
