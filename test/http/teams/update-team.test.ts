import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { besideUncommitted } from '../../support/locks.ts';
import { readAudit } from '../../support/read-audit.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const update = (team: GivenTeam, body: object) => admin.put(`/api/teams/${team.teamId}`, body);
const hoursUntil = (time: string) => (Date.parse(time) - Date.now()) / 3_600_000;

test('an update of a team changes the named settings only (spec 6.2, spec 8.7)', async () => {
  const team = await given.team({ credits: 5, team_alias: 'Before', metadata: { a: 1 } });
  const access = await given.accessGroup();
  const settings = {
    team_alias: 'After',
    budget_mode: 'consumption_usd',
    tokens_per_credit: 500,
    credits_per_dollar: 2.5,
    low_balance_policy: 'block',
    rpm_limit: 7,
    tpm_limit: 700,
    job_key_from: ['header:x-session-id', 'body:metadata.chat'],
    jobless_calls: 'refuse',
    credit_limit: 50,
    access_groups: [access, access],
  };

  const changed = expectOk(await update(team, settings));

  expect(changed).toMatchObject({
    ...settings,
    access_groups: [access],
    metadata: { a: 1 },
    model_groups: [team.modelGroup],
    credits_allocated: 5,
    credits_remaining: 5,
  });
  expect(changed.updated_at > changed.created_at).toBe(true);
  expect(expectOk(await update(team, { metadata: { b: 2 } }))).toMatchObject({
    team_alias: 'After',
    metadata: { b: 2 },
  });
  expect(gateway.current.simulator.registry.teams.get(team.teamId)?.team_alias).toBe('After');
  expect(await readAudit(gateway.current, team.teamId)).toMatchObject([
    { action: 'updated_team', details: { metadata: 'replaced' } },
    { action: 'updated_team', details: { team_alias: 'After', credit_limit: 50 } },
    { action: 'created_team' },
  ]);
});

test('in an update of a team null clears nullable fields, and is ignored in others (spec 1.12, spec 6.2)', async () => {
  const team = await given.team({
    team_alias: 'A',
    tokens_per_credit: 9,
    rpm_limit: 9,
    budget_mode: 'consumption_tokens',
  });

  const cleared = { team_alias: null, tokens_per_credit: null, rpm_limit: null, credit_limit: null, budget_mode: null };
  const changed = expectOk(await update(team, { ...cleared, metadata: null, auto_refill: null, access_groups: null }));

  expect(changed).toMatchObject({
    team_alias: null,
    tokens_per_credit: null,
    rpm_limit: null,
    credit_limit: null,
    budget_mode: 'consumption_tokens',
    auto_refill: false,
  });
});

test('an update of a team cannot change its balance (spec 6.2)', async () => {
  const team = await given.team({ credits: 5 });

  const changed = expectOk(await update(team, { credits_allocated: 99, credits_used: 1, credits_remaining: 99 }));

  expect(changed).toMatchObject({ credits_allocated: 5, credits_used: 0, credits_remaining: 5 });
});

test('the first refill is due one period after it was switched on (spec 6.6)', async () => {
  const team = await given.team();

  const on = expectOk(await update(team, { auto_refill: true, refill_amount: 10, refill_period: 'daily' }));
  expect(on).toMatchObject({ auto_refill: true, refill_amount: 10, refill_period: 'daily', last_refill_at: null });
  expect(Math.round(hoursUntil(on.next_refill_at))).toBe(24);

  const larger = expectOk(await update(team, { refill_amount: 20 }));
  expect(larger).toMatchObject({ refill_amount: 20, next_refill_at: on.next_refill_at });

  const weekly = expectOk(await update(team, { refill_period: 'weekly' }));
  expect(Math.round(hoursUntil(weekly.next_refill_at))).toBe(7 * 24);

  expect(expectOk(await update(team, { auto_refill: false }))).toMatchObject({
    next_refill_at: null,
    refill_amount: 20,
  });
  expect(Math.round(hoursUntil(expectOk(await update(team, { auto_refill: true })).next_refill_at))).toBe(7 * 24);
});

const nextRefill = '2051-01-31T12:00:00.000Z';

test('the time of the next refill is set by an update and by a creation, stays with another amount, and null counts from now (spec 24.8)', async () => {
  const refill = {
    auto_refill: true,
    refill_amount: 10,
    refill_period: 'monthly',
    next_refill_at: '2051-01-31T13:00:00+01:00',
  };
  const team = await given.team();
  const created = await given.team(refill);

  const set = expectOk(await update(team, refill));
  const kept = expectOk(await update(team, { refill_amount: 20 }));
  const fromNow = expectOk(await update(created, { refill_period: 'daily', next_refill_at: null }));

  expect([set.next_refill_at, kept.next_refill_at]).toEqual([nextRefill, nextRefill]);
  expect(Math.round(hoursUntil(fromNow.next_refill_at))).toBe(24);
});

test.each([
  ['in the past', { auto_refill: true, refill_amount: 1, refill_period: 'daily', next_refill_at: '2020-01-01' }],
  ['that is no time', { auto_refill: true, refill_amount: 1, refill_period: 'daily', next_refill_at: 'tomorrow' }],
  ['while no refill is switched on', { next_refill_at: '2051-01-31' }],
])('a next refill %s is refused, and nothing is changed (spec 24.8)', async (_, body) => {
  const team = await given.team();

  const refused = await update(team, body);

  expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'next_refill_at'] }] } });
  expect(expectOk(await update(team, {}))).toMatchObject({ auto_refill: false, next_refill_at: null });
});

test.each([
  [{ auto_refill: true }, ['body', 'refill_amount']],
  [{ auto_refill: true, refill_amount: 1 }, ['body', 'refill_period']],
])('an incomplete refill (%j) is refused (spec 6.6)', async (body, loc) => {
  const refused = await update(await given.team(), body);

  expect(refused.status).toBe(422);
  expect(refused.body.detail).toContainEqual(expect.objectContaining({ loc, type: 'missing' }));
});

test('an unlimited budget below 0 cannot become a fixed one (spec 6.16)', async () => {
  const team = await given.team({ credits: 0, credit_limit: null });
  const job = await given.job(team);
  expectOk(await as(gateway, team).complete(job));
  expect((await as(gateway, team).credits()).credits_remaining).toBe(-1);

  const refused = await update(team, { credit_limit: 10, team_alias: 'Changed' });

  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('less than 0') } });
  expect((await admin.get(`/api/teams/${team.teamId}`)).body).toMatchObject({
    team_alias: null,
    credits: { credit_limit: null },
  });
});

test('an update with an unknown team or access group is a 404, and changes nothing', async () => {
  const team = await given.team();

  expect((await admin.put('/api/teams/unheard-of', { team_alias: 'a' })).status).toBe(404);
  expect((await update(team, { team_alias: 'a', access_groups: ['unheard-of'] })).status).toBe(404);

  expect((await admin.get(`/api/teams/${team.teamId}`)).body.team_alias).toBeNull();
});

test.each([
  { credit_limit: -1 },
  { credit_limit: 2_147_483_648 },
  { refill_amount: 0 },
  { refill_amount: 1_000_000_001 },
  { tokens_per_credit: 1.5 },
  { credits_per_dollar: -0.1 },
  { tpm_limit: 0 },
  { auto_refill: 1 },
  { metadata: 'a' },
  { team_alias: 'x'.repeat(256) },
])('an update of a team with %j is refused', async (body) => {
  expect((await update(await given.team(), body)).status).toBe(422);
});

test('a refill that is switched on while its period is changed is due one period from now', async () => {
  const team = await given.team();
  const switchedOn = {
    sql: `with team as (update teams set updated_at = now() where team_id = $1)
          update credit_accounts set auto_refill = true, refill_amount = 5, refill_period = 'monthly',
                 refill_anchor_at = now(), next_refill_at = now() + interval '30 days' where team_id = $1`,
    values: [team.teamId],
    waiting: 1,
  };

  const answer = await besideUncommitted(gateway.current, switchedOn, () => update(team, { refill_period: 'daily' }));

  const { auto_refill, refill_period, next_refill_at } = expectOk(answer);
  expect([auto_refill, refill_period]).toEqual([true, 'daily']);
  expect(hoursUntil(next_refill_at)).toBeLessThanOrEqual(24);
});
