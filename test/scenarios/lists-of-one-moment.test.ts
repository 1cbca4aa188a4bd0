import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import type { Json } from '../support/send-request.ts';
import { closeReceivers, hanging, startReceiver } from '../webhooks/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);

afterEach(closeReceivers);

/** A list shows so many at most, and some were there before. */
const mostShown = 1_000;
const mostMade = 900;
const mostWebhooks = 250;

/** While one after the other is made, each list has as many rows as its total says. */
async function readWhile(
  make: () => Promise<unknown>,
  path: string,
  rowsIn: (list: Json) => unknown[],
  most = mostMade,
) {
  const reading = { over: false };
  const making = (async () => {
    for (let made = 0; made < most && !reading.over; made += 1) await make();
  })();
  const lists: { total: number; shown: number }[] = [];
  try {
    while (lists.length < 150 || new Set(lists.map(({ total }) => total)).size < 20) {
      const list = expectOk(await asAdmin(gateway).get(`${path}${path.includes('?') ? '&' : '?'}limit=${mostShown}`));
      lists.push({ total: list.total, shown: rowsIn(list).length });
    }
  } finally {
    reading.over = true;
    await making;
  }
  expect(lists.filter(({ total, shown }) => total !== shown)).toEqual([]);
}

test.each(['', '&user_id=somebody'])('jobs are counted as they are listed%s', async (filter) => {
  const team = await given.team();

  await readWhile(
    () => given.job(team, { user_id: 'somebody' }),
    `/api/jobs?team_id=${team.teamId}${filter}`,
    ({ jobs }) => jobs,
  );
});

test('so are jobs of a status', async () => {
  const team = await given.team();

  await readWhile(
    async () => as(gateway, team).complete(await given.job(team)),
    `/api/jobs?team_id=${team.teamId}&status=completed`,
    ({ jobs }) => jobs,
  );
});

test.each(['', '&transaction_type=allocation'])('so are transactions%s', async (filter) => {
  const { teamId } = await given.team();

  await readWhile(
    () => given.admin('post', `/api/credits/teams/${teamId}/add`, { credits: 1 }),
    `/api/credits/transactions?team_id=${teamId}${filter}`,
    ({ transactions }) => transactions,
  );
});

test('so are organizations and teams', async () => {
  const organizationId = await given.organization();

  await readWhile(
    () => given.organization(),
    '/api/organizations',
    ({ organizations }) => organizations,
  );
  await readWhile(
    () =>
      given.admin('post', '/api/teams/create', {
        organization_id: organizationId,
        team_id: unique('team'),
        model_groups: [],
      }),
    '/api/teams',
    ({ teams }) => teams,
  );
});

test('so are webhooks and their deliveries', async () => {
  const team = await given.team();
  const receiver = await startReceiver(hanging);
  const register = () =>
    given.admin('post', '/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url: receiver.url,
      events: ['job.created'],
    });
  const { webhook_id } = await register();

  await readWhile(
    () => given.job(team),
    `/api/webhooks/${webhook_id}/deliveries`,
    ({ deliveries }) => deliveries,
  );
  await readWhile(register, `/api/webhooks?team_id=${team.teamId}`, ({ webhooks }) => webhooks, mostWebhooks - 1);
});
