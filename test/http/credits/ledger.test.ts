import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const sql = (text: string, values: unknown[] = []) => gateway.current.deps.database.pool.query(text, values);

type Entry = ['allocation' | 'deduction' | 'refund' | 'adjustment', number, string];

/** Writes rows of the ledger as of given times, and the account to match. */
async function givenLedger(team: GivenTeam, entries: Entry[]): Promise<void> {
  let balance = (await as(gateway, team).credits()).credits_remaining;
  const statements = entries.map(([type, amount, at]) => {
    const before = balance;
    balance += type === 'deduction' ? -amount : amount;
    const job = type === 'deduction' || type === 'refund' ? 'gen_random_uuid()' : 'null';
    return `insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
              credits_amount, credits_before, credits_after, reason, created_at)
            values (gen_random_uuid(), '${team.teamId}', '${team.organizationId}', ${job}, '${type}',
              ${amount}, ${before}, ${balance}, 'why', '${at}')`;
  });
  const account = `update credit_accounts set credit_limit = null, credits_allocated = ${balance} + credits_used
                    where team_id = '${team.teamId}'`;
  await sql(['begin', ...statements, account, 'commit'].join(';'));
}

/** Every page of the list, by its cursors. */
async function readAll(read: (query: string) => Promise<Json>, filter: string, limit = 2): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor = ''; ; ) {
    const page = await read(`${filter}&limit=${limit}&cursor=${cursor}`);
    pages.push(page);
    if (page.next_cursor === null) return pages;
    cursor = page.next_cursor;
  }
}

const list = async (query: string) => expectOk(await admin.get(`/api/transactions?${query}`));
const amounts = ({ transactions }: Json) =>
  transactions.map(({ credits_amount }: { credits_amount: number }) => credits_amount);

let team: GivenTeam;
let sibling: GivenTeam;
beforeAll(async () => {
  team = await given.team({ credits: 0 });
  sibling = await given.team({ credits: 0, organizationId: team.organizationId });
  await givenLedger(team, [
    ['allocation', 100, '2026-01-10T08:00:00Z'],
    ['deduction', 3, '2026-01-10T12:00:00Z'],
    ['deduction', 4, '2026-01-11T00:00:00Z'],
    ['refund', 3, '2026-01-12T23:59:59.999Z'],
    ['adjustment', -20, '2026-01-13T10:00:00Z'],
  ]);
  await givenLedger(sibling, [
    ['allocation', 7, '2026-01-10T12:00:00Z'],
    ['deduction', 2, '2026-01-12T12:00:00Z'],
  ]);
});

const ofOrganization = () => `organization_id=${team.organizationId}`;

test('an admin lists the transactions of all teams of an organization by their time, with the sums of each type (spec 19.61)', async () => {
  const page = await list(ofOrganization());

  expect(page).toMatchObject({
    total: 7,
    sum_credits: { allocation: 107, deduction: 9, refund: 3, adjustment: -20 },
    next_cursor: null,
  });
  expect(amounts(page)).toEqual([-20, 3, 2, 4, 7, 3, 100]);
  expect(page.transactions[0]).toMatchObject({ team_id: team.teamId, organization_id: team.organizationId });
});

test('pages by cursor hold each transaction once, in the order of the whole list (spec 19.60)', async () => {
  const pages = await readAll(list, ofOrganization());

  expect(pages.flatMap(amounts)).toEqual([-20, 3, 2, 4, 7, 3, 100]);
  expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
});

test.each<[string, number[], object]>([
  ['from=2026-01-11&to=2026-01-12', [3, 2, 4], { deduction: 6, refund: 3, allocation: 0, adjustment: 0 }],
  [
    'from=2026-01-10T12:00:00Z&to=2026-01-10T12:00:00Z',
    [7, 3],
    { deduction: 3, refund: 0, allocation: 7, adjustment: 0 },
  ],
  [
    'from=2026-01-10T12:00:00.001Z&to=2026-01-12T12:00:00Z',
    [2, 4],
    { deduction: 6, refund: 0, allocation: 0, adjustment: 0 },
  ],
  ['to=2026-01-10T11:59:59Z', [100], { deduction: 0, refund: 0, allocation: 100, adjustment: 0 }],
  ['from=2026-01-13', [-20], { deduction: 0, refund: 0, allocation: 0, adjustment: -20 }],
  ['from=2026-01-10T09:00:00Z', [-20, 3, 2, 4, 7, 3], { deduction: 9, refund: 3, allocation: 7, adjustment: -20 }],
  ['transaction_type=deduction', [2, 4, 3], { deduction: 9, refund: 0, allocation: 0, adjustment: 0 }],
  ['transaction_type=refund&from=2026-01-12T12:00:00Z', [3], { deduction: 0, refund: 3, allocation: 0, adjustment: 0 }],
])('the total and the sums of %s are those of its rows (spec 19.61)', async (query, expected, sums) => {
  const page = await list(`${ofOrganization()}&${query}`);

  expect(amounts(page)).toEqual(expected);
  expect(page).toMatchObject({ total: expected.length, sum_credits: sums });
});

test('the transactions of a job are its deduction and its refund', async () => {
  const { rows } = await sql(
    `select job_id from credit_transactions where team_id = $1 and transaction_type = 'deduction'
                               order by position limit 1`,
    [team.teamId],
  );

  const page = await list(`job_id=${rows[0].job_id}`);

  expect(page).toMatchObject({ total: 1, sum_credits: { deduction: 3, refund: 0 } });
  expect(amounts(page)).toEqual([3]);
});

test('without a count a page has no total and no sums', async () => {
  expect(await list(`${ofOrganization()}&count=none&limit=1`)).toMatchObject({
    total: null,
    sum_credits: null,
    next_cursor: expect.any(String),
  });
});

test('a virtual key reads the transactions of its own team, and a request that names another team is a 403 (spec 2.10, spec 19.61)', async () => {
  const own = as(gateway, sibling);

  expect(amounts(expectOk(await own.get('/api/transactions')))).toEqual([2, 7]);
  expect(amounts(expectOk(await own.get(`/api/transactions?${ofOrganization()}`)))).toEqual([2, 7]);
  expect((await own.get(`/api/transactions?team_id=${team.teamId}`)).status).toBe(403);
  expect((await own.get('/api/transactions?organization_id=another')).status).toBe(403);
});

test('a cursor of another list is refused, and so is a text that is no cursor (spec 19.60)', async () => {
  const { next_cursor } = await list(`${ofOrganization()}&limit=1`);

  for (const [path, cursor] of [
    ['/api/deliveries', next_cursor],
    ['/api/transactions', 'x'],
    ['/api/transactions', 'a'.repeat(5_000)],
  ])
    expect(await admin.get(`${path}?cursor=${cursor}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'cursor'] }] },
    });
});

test('a range that ends before it begins is refused', async () => {
  const { status, body } = await admin.get('/api/transactions?from=2026-02-01&to=2026-01-01');

  expect(status).toBe(422);
  expect(body.detail[0].loc).toEqual(['query', 'from']);
});

test('GET /api/credits/transactions, the list of one team, has a next_cursor only where the request has a cursor (spec 19.60)', async () => {
  const own = as(gateway, team);
  const path = `/api/credits/transactions?team_id=${team.teamId}`;

  expect(Object.keys(expectOk(await own.get(path)))).toEqual(['team_id', 'total', 'transactions']);
  const pages = await readAll(async (query) => expectOk(await own.get(`${path}&${query}`)), '');
  expect(pages.flatMap(amounts)).toEqual([-20, 3, 4, 3, 100]);
  expect(Object.keys(expectOk(await own.get(`/api/teams/${team.teamId}/credits/transactions`)))).toEqual([
    'team_id',
    'transactions',
  ]);
});

test('the ledger check reports no mismatch for an intact ledger, and reports an account that was changed without a ledger row (spec 19.62)', async () => {
  const check = async () => expectOk(await admin.get('/api/ledger/check'));
  const intact = await check();
  const { rows } = await sql('select count(*)::int as accounts from credit_accounts');
  const broken = await given.team({ credits: 5 });

  await sql(`begin; set local session_replication_role = replica;
             update credit_accounts set credits_allocated = 6 where team_id = '${broken.teamId}'; commit`);

  expect(intact).toMatchObject({ accounts: rows[0].accounts, consistent: true, mismatches: [] });
  expect(await check()).toMatchObject({
    accounts: rows[0].accounts + 1,
    consistent: false,
    mismatches: [{ team_id: broken.teamId, balance: 6, ledger: 5 }],
  });
});
