import { dayMs } from '../../src/domain/time/buckets.ts';
import { refillTeam } from '../../src/services/credits/refill-team.ts';
import { adminsIn } from '../http/admin-users/admins.ts';
import { asAdmin } from '../support/as-admin.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { maintain } from '../support/maintain.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const sql = (text: string, values: unknown[]) => gateway.current.deps.database.pool.query(text, values);
const upstreamOf = (teamId: string) => gateway.current.simulator.registry.teams.get(teamId);
beforeEach(() => gateway.current.simulator.clearScripts());

/** A team whose daily refill was switched on so many days, and an hour, ago. */
async function givenRefill(days: number, fields: object = {}): Promise<GivenTeam> {
  const refill = { auto_refill: true, refill_amount: 10, refill_period: 'daily' };
  const team = await given.team({ credits: 5, ...refill, ...fields });
  const anchor = new Date(Date.now() - days * dayMs - 3_600_000);
  await sql('update credit_accounts set refill_anchor_at = $2, next_refill_at = $3 where team_id = $1', [
    team.teamId,
    anchor,
    new Date(anchor.getTime() + dayMs),
  ]);
  return team;
}

const refillsOf = async (team: GivenTeam) =>
  expectOk(await admin.get(`/api/credits/transactions?team_id=${team.teamId}`)).transactions.filter(
    ({ reason }: { reason: string }) => reason === 'Auto-refill daily',
  );
const balanceOf = async (team: GivenTeam) =>
  expectOk(await admin.get(`/api/credits/balance?team_id=${encodeURIComponent(team.teamId)}`));

test('missed refills are made up for, one ledger row each, and raise the limit and the budget upstream (spec 6.6)', async () => {
  const team = await givenRefill(3);

  await maintain(gateway.current);

  const refills = await refillsOf(team);
  expect(refills).toMatchObject([
    { transaction_type: 'allocation', credits_amount: 10, credits_before: 25, credits_after: 35 },
    { credits_before: 15, credits_after: 25 },
    { credits_before: 5, credits_after: 15 },
  ]);
  const balance = await balanceOf(team);
  expect(balance).toMatchObject({ credits_allocated: 35, credit_limit: 35, last_refill_at: expect.any(String) });
  expect(Date.parse(balance.next_refill_at) - Date.now()).toBeGreaterThan(22 * 3_600_000);
  expect(upstreamOf(team.teamId)?.max_budget).toBe(3.5);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('a refill that was set to a time is due then, and the next one a period later (spec 24.8)', async () => {
  const team = await given.team({ credits: 5, auto_refill: true, refill_amount: 10, refill_period: 'daily' });
  const due = new Date(Date.now() + 1_500);
  const set = await admin.put(`/api/teams/${team.teamId}`, { next_refill_at: due.toISOString() });
  expect(expectOk(set).next_refill_at).toBe(due.toISOString());

  const refills = await until(
    async () => {
      await maintain(gateway.current);
      return refillsOf(team);
    },
    (found) => found.length > 0,
  );

  expect(refills).toMatchObject([{ credits_amount: 10, credits_after: 15 }]);
  expect((await balanceOf(team)).next_refill_at).toBe(new Date(due.getTime() + dayMs).toISOString());
});

test('a suspended team is refilled (spec 6.6)', async () => {
  const team = await givenRefill(1);
  expectOk(await admin.post(`/api/teams/${team.teamId}/suspend`));

  await maintain(gateway.current);

  expect(await refillsOf(team)).toHaveLength(1);
});

test('a refill that is not due is not made', async () => {
  const team = await givenRefill(0);

  await maintain(gateway.current);

  expect(await refillsOf(team)).toEqual([]);
});

test('a period that was refilled before is not refilled again when its due date is set back', async () => {
  const team = await givenRefill(3);
  const { deps } = gateway.current;
  expect(await refillTeam(deps.database, team.teamId, new Date())).toBe(3);
  const { next_refill_at } = await balanceOf(team);
  await sql(`update credit_accounts set next_refill_at = next_refill_at - interval '2 days' where team_id = $1`, [
    team.teamId,
  ]);

  expectOk(await admin.put(`/api/teams/${team.teamId}`, { rpm_limit: 100 }));

  expect(await balanceOf(team)).toMatchObject({ credits_allocated: 35, next_refill_at });
  expect(await refillsOf(team)).toHaveLength(3);
});

test('a period is refilled once by eight concurrent refills (spec 6.6)', async () => {
  const team = await givenRefill(20);
  const { database } = gateway.current.deps;

  const given = await Promise.all(Array.from({ length: 8 }, () => refillTeam(database, team.teamId, new Date())));

  expect(given.reduce((sum, count) => sum + count)).toBe(20);
  expect((await balanceOf(team)).credits_allocated).toBe(205);
  expect(await checkLedger(database)).toEqual([]);
});

test('a refill raises a credit limit at most to the largest integer (spec 6.3)', async () => {
  const team = await givenRefill(1, { credit_limit: 2_147_483_647 });

  await maintain(gateway.current);

  expect(await refillsOf(team)).toHaveLength(1);
  expect((await balanceOf(team)).credit_limit).toBe(2_147_483_647);
});

test('a refill that would overflow a balance fails without holding up other teams (spec 6.16)', async () => {
  const full = await givenRefill(1, { teamId: unique('a-full'), credits: 2_147_483_640 });
  const other = await givenRefill(1, { teamId: unique('b-other') });

  await maintain(gateway.current);

  expect(await refillsOf(full)).toEqual([]);
  expect(await refillsOf(other)).toHaveLength(1);
});

test('a hundred refills that would overflow a balance fail without holding up other teams', async () => {
  const largest = 2_147_483_647;
  const organization = await given.organization();
  await sql(
    `with ids as (select 'a-full-' || n as id from generate_series(100, 199) n),
          made as (insert into teams (team_id, organization_id, proxy_team_id) select id, $1, id from ids returning team_id),
          ledger as (insert into credit_transactions (transaction_id, team_id, organization_id, transaction_type,
                                                      credits_amount, credits_before, credits_after, reason)
                     select gen_random_uuid(), team_id, $1, 'allocation', $2, 0, $2, 'all there is' from made)
     insert into credit_accounts (team_id, organization_id, credits_allocated, auto_refill, refill_amount, refill_period,
                                  refill_anchor_at, next_refill_at)
     select team_id, $1, $2, true, 1, 'daily', now() - interval '1 day', now() from made`,
    [organization, largest],
  );
  const other = await givenRefill(1, { teamId: unique('b-other') });

  await maintain(gateway.current);

  expect(await refillsOf(other)).toHaveLength(1);
  await sql('update credit_accounts set auto_refill = false where organization_id = $1', [organization]);
});

test('refills that fell due under the old settings are made before the settings change (spec 6.6)', async () => {
  const team = await givenRefill(2);

  expectOk(await admin.put(`/api/teams/${team.teamId}`, { auto_refill: false }));

  expect(await refillsOf(team)).toHaveLength(2);
  expect(await balanceOf(team)).toMatchObject({ auto_refill: false, next_refill_at: null });
});

test('a team change that the upstream has not received is sent again', async () => {
  const team = await given.team({ credits: 5 });
  gateway.current.simulator.script('/team/update', 'sim-fail-500', 1);
  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 5 }));
  expect(upstreamOf(team.teamId)?.max_budget).toBe(0.5);

  await maintain(gateway.current);

  expect(upstreamOf(team.teamId)?.max_budget).toBe(1);
  const { rowCount } = await sql('select from upstream_changes where team_id = $1', [team.teamId]);
  expect(rowCount).toBe(0);
});

test('a team whose creation failed is removed from the upstream', async () => {
  const body = { organization_id: await given.organization(), team_id: unique('team'), model_groups: [] };
  gateway.current.simulator.script('/team/new', 'sim-stream-cut-0', 1);
  gateway.current.simulator.script('/team/delete', 'sim-fail-500', 1);
  expect((await admin.post('/api/teams/create', body)).status).toBe(500);
  expect(upstreamOf(body.team_id)).toBeDefined();

  await maintain(gateway.current);

  expect(upstreamOf(body.team_id)).toBeUndefined();
  const { rowCount } = await sql('select from team_registrations where team_id = $1', [body.team_id]);
  expect(rowCount).toBe(0);
});

test('an upstream that is away receives no more than three requests a round for teams whose creation failed', async () => {
  const claim = `insert into team_registrations (team_id, organization_id, proxy_team_id, operation_id, claimed_until)
    select id, 'acme', id, gen_random_uuid(), now() - interval '1 s' from unnest($1::text[]) id`;
  const uncreated = Array.from({ length: 4 }, () => unique('team'));
  await sql(claim, [uncreated]);
  const remaining = async () =>
    (await sql('select from team_registrations where team_id = any($1)', [uncreated])).rowCount;
  gateway.current.simulator.script('/team/info', 'sim-fail-500', 3);

  await maintain(gateway.current);
  const afterFirstRound = await remaining();
  await maintain(gateway.current);

  expect(afterFirstRound).toBe(4);
  expect(await remaining()).toBe(0);
});

test('keys that ended a month ago are deleted once the upstream has received their end', async () => {
  const ended = async (days: number) => {
    const team = await given.team();
    expectOk(await admin.post(`/api/teams/${team.teamId}/rotate-key`));
    const end =
      'update virtual_keys set expires_at = now() - make_interval(days => $2) where team_id = $1 and expires_at < now()';
    await sql(end, [team.teamId, days]);
    return team.teamId;
  };
  const [old, unsent, late] = [await ended(31), await ended(31), await ended(29)];
  await sql('update virtual_keys set end_sent_upstream = false where team_id = $1', [unsent]);

  await maintain(gateway.current);

  const { rows } = await sql('select team_id, count(*)::int as keys from virtual_keys group by team_id', []);
  const keysOf = (teamId: string) => rows.find(({ team_id }) => team_id === teamId).keys;
  expect([old, unsent, late].map(keysOf)).toEqual([1, 2, 2]);
});

test('sessions that ended a month ago are deleted, their audit entries are not', async () => {
  const { token } = await adminsIn(gateway).owner();
  const endAgo = `insert into admin_sessions (session_id, user_id, token_hash, expires_at, ip_address)
    select gen_random_uuid(), user_id, sha256(days::text::bytea), now() - make_interval(days => days), days
      from admin_users cross join generate_series(28, 32) days`;
  await sql(endAgo, []);
  const entries = async () => (await sql('select from audit_log', [])).rowCount;
  const before = await entries();

  await maintain(gateway.current);

  const { rows } = await sql('select ip_address from admin_sessions where expires_at < now() order by 1', []);
  expect(rows).toEqual([{ ip_address: '28' }, { ip_address: '29' }]);
  expect(await entries()).toBe(before);
  expect((await sendRequest(gateway.current.url, 'get', '/api/admin-users/me', { key: token })).status).toBe(200);
});
