import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import type { Json } from '../support/send-request.ts';
import { sized } from '../support/sizes.ts';
import { closeReceivers, hanging, startReceiver } from '../webhook-delivery/receiver.ts';

const maxWebhooks = 250;
const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', MAX_WEBHOOKS_PER_TEAM: String(maxWebhooks) },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

/** A list has at most 1,000 rows, and some exist before the test. */
const maxShown = 1_000;
const maxMade = 900;
/** Readings of each list, and different totals among them. */
const minReadings = sized({ short: 40, full: 150 });
const minTotals = sized({ short: 10, full: 20 });

/** Expects each list that is read while rows are added to have as many rows as its total. */
async function readWhile(
  make: () => Promise<unknown>,
  path: string,
  rowsIn: (list: Json) => unknown[],
  maxRows = maxMade,
) {
  const reading = { stopped: false };
  const making = (async () => {
    for (let made = 0; made < maxRows && !reading.stopped; made += 1) await make();
  })();
  const lists: { total: number; shown: number }[] = [];
  try {
    while (lists.length < minReadings || new Set(lists.map(({ total }) => total)).size < minTotals) {
      const list = expectOk(await asAdmin(gateway).get(`${path}${path.includes('?') ? '&' : '?'}limit=${maxShown}`));
      lists.push({ total: list.total, shown: rowsIn(list).length });
    }
  } finally {
    reading.stopped = true;
    await making;
  }
  expect(lists.filter(({ total, shown }) => total !== shown)).toEqual([]);
}

test.each(['', '&user_id=somebody'])(
  'the total of a list of jobs is its number of rows while jobs are created%s',
  async (filter) => {
    const team = await given.team();

    await readWhile(
      () => given.job(team, { user_id: 'somebody' }),
      `/api/jobs?team_id=${team.teamId}${filter}`,
      ({ jobs }) => jobs,
    );
  },
);

test('the total of a list of completed jobs is its number of rows while jobs complete', async () => {
  const team = await given.team();

  await readWhile(
    async () => as(gateway, team).complete(await given.job(team)),
    `/api/jobs?team_id=${team.teamId}&status=completed`,
    ({ jobs }) => jobs,
  );
});

test.each(['', '&transaction_type=allocation'])(
  'the total of a list of credit transactions is its number of rows while credits are added%s',
  async (filter) => {
    const { teamId } = await given.team();

    await readWhile(
      () => given.admin('post', `/api/credits/teams/${teamId}/add`, { credits: 1 }),
      `/api/credits/transactions?team_id=${teamId}${filter}`,
      ({ transactions }) => transactions,
    );
  },
);

test('the totals of the lists of organizations and teams are their numbers of rows while these are created', async () => {
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

test('the totals of the lists of webhooks and deliveries are their numbers of rows while these are created', async () => {
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
  await readWhile(register, `/api/webhooks?team_id=${team.teamId}`, ({ webhooks }) => webhooks, maxWebhooks - 1);
});
