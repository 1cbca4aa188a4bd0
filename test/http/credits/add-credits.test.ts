import { asAdmin } from '../../support/as-admin.ts';
import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { readAudit } from '../../support/read-audit.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

/** The three forms of the same thing: path, and body from an amount. */
const forms: [string, (team: GivenTeam) => string, (team: GivenTeam, amount: unknown) => object][] = [
  ['allocate', (team) => `/api/teams/${team.teamId}/credits/allocate`, (_, amount) => ({ credits_amount: amount })],
  ['add', (team) => `/api/credits/teams/${team.teamId}/add`, (_, amount) => ({ credits: amount })],
  ['add to', () => '/api/credits/add', (team, amount) => ({ team_id: team.teamId, amount })],
];

describe.each(forms)('%s', (_, pathOf, bodyOf) => {
  test('raises the balance and the limit, and returns the transaction (spec 6.13, spec 6.14)', async () => {
    const team = await given.team({ credits: 5 });

    const { body } = await admin.post(pathOf(team), { ...bodyOf(team, 10), reason: 'Paid invoice 7' });

    expect(body).toEqual({
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      team_id: team.teamId,
      job_id: null,
      transaction_type: 'allocation',
      credits_amount: 10,
      credits_before: 5,
      credits_after: 15,
      credits_remaining: 15,
      reason: 'Paid invoice 7',
    });
    expect(await as(gateway, team).credits()).toEqual({
      team_id: team.teamId,
      credits_allocated: 15,
      credits_used: 0,
      credits_remaining: 15,
      credit_limit: 15,
      auto_refill: false,
    });
    expect(await readAudit(gateway.current, team.teamId)).toMatchObject([
      { action: 'allocated_credits', details: { transaction_id: body.transaction_id, credits_amount: 10 } },
      { action: 'created_team' },
    ]);
  });

  test.each([
    [0, 'greater_than'],
    [-5, 'greater_than'],
    [1.5, 'int_type'],
    ['10', 'int_type'],
    [true, 'int_type'],
    [null, 'int_type'],
    [1_000_000_001, 'less_than_equal'],
    [1e15, 'less_than_equal'],
    [undefined, 'missing'],
  ])('refuses %j (spec 6.4)', async (amount, type) => {
    const team = await given.team({ credits: 5 });

    const refused = await admin.post(pathOf(team), bodyOf(team, amount));

    expect(refused).toMatchObject({ status: 422, body: { detail: [{ type }] } });
    expect((await as(gateway, team).credits()).credits_remaining).toBe(5);
  });

  test('refuses a sum beyond the largest balance (spec 6.4)', async () => {
    const team = await given.team({ credits: 2_000_000_000 });

    expect((await admin.post(pathOf(team), bodyOf(team, 1_000_000_000))).status).toBe(422);

    expectOk(await admin.post(pathOf(team), bodyOf(team, 147_483_647)));
    expect((await as(gateway, team).credits()).credits_allocated).toBe(2_147_483_647);
  });

  test('raises a limit above the balance up to the largest limit (spec 6.3)', async () => {
    const team = await given.team({ credits: 5, credit_limit: 2_147_483_640 });

    expect(expectOk(await admin.post(pathOf(team), bodyOf(team, 10))).credits_remaining).toBe(15);
    expect(expectOk(await admin.post(pathOf(team), bodyOf(team, 10))).credits_remaining).toBe(25);

    expect((await as(gateway, team).credits()).credit_limit).toBe(2_147_483_647);
  });

  test('adds credits once for an Idempotency-Key, also if the process ended before its answer (spec 10.8)', async () => {
    const team = await given.team({ credits: 5 });
    const headers = { 'idempotency-key': unique('key') };
    const add = () => admin.post(pathOf(team), bodyOf(team, 10), headers);
    const first = expectOk(await add());

    expect(expectOk(await add())).toEqual(first);
    await deleteStoredAnswers(gateway.current);
    expect(expectOk(await add())).toEqual(first);

    expect((await as(gateway, team).credits()).credits_remaining).toBe(15);
    expect(await readAudit(gateway.current, team.teamId)).toHaveLength(2);
  });

  test('is a 404 for an unknown team', async () => {
    const nobody = { ...(await given.team()), teamId: 'unheard-of' };

    expect((await admin.post(pathOf(nobody), bodyOf(nobody, 1))).status).toBe(404);
  });

  test("refuses a team's key (spec 6.4)", async () => {
    const team = await given.team();

    expect((await as(gateway, team).post(pathOf(team), bodyOf(team, 1))).status).toBe(401);
  });

  test('refuses a reason of more than 500 characters (spec 6.4)', async () => {
    const team = await given.team();

    expect((await admin.post(pathOf(team), { ...bodyOf(team, 1), reason: 'x'.repeat(501) })).status).toBe(422);
    expectOk(await admin.post(pathOf(team), { ...bodyOf(team, 1), reason: 'x'.repeat(500) }));
  });
});

test('adding credits to an unlimited budget leaves it without a limit (spec 6.3)', async () => {
  const team = await given.team({ credits: 0, credit_limit: null });

  expectOk(await admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 10 }));

  expect(await as(gateway, team).credits()).toMatchObject({ credits_allocated: 10, credit_limit: null });
});

test('fifty simultaneous allocations are fifty ledger rows, each beginning where the last one ended (spec 6.1)', async () => {
  const team = await given.team({ credits: 0 });

  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      admin.post(`/api/teams/${team.teamId}/credits/allocate`, { credits_amount: 2, reason: 'race' }),
    ),
  );

  for (const answer of answers) expectOk(answer);
  expect(new Set(answers.map(({ body }) => body.credits_after)).size).toBe(50);
  expect((await as(gateway, team).credits()).credits_remaining).toBe(100);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});
