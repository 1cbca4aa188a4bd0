import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
let job: string;
let callId: string;
beforeAll(async () => {
  team = await given.team();
  job = await given.job(team);
  callId = expectOk(
    await as(gateway, team).call(job, { messages: [{ role: 'user', content: 'Größe: 9007199254740993' }] }),
  ).call_id;
});

const pathOf = (query = '') => `/api/jobs/${job}/calls/${callId}${query}`;

test('a team reads one of its calls with its request and its response, and without the concrete model (spec 19.28)', async () => {
  const answer = await as(gateway, team).get(pathOf('?include=request,response'));

  const call = expectOk(answer);
  expect(call).toMatchObject({
    job_id: job,
    call_id: callId,
    status: 'succeeded',
    request: { messages: [{ role: 'user', content: 'Größe: 9007199254740993' }] },
    response: { content: expect.any(String) },
    truncated: false,
  });
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(JSON.stringify(call)).not.toContain('sim-ok');
  expect(call).not.toHaveProperty('resolved_model');
});

test('the tool calls of a response have the name and the fields of the answer of the call (spec 19.28)', async () => {
  const other = await given.team({ models: ['sim-two-tools'] });
  const otherJob = await given.job(other);
  const { call_id, response } = expectOk(await as(gateway, other).call(otherJob));

  const call = expectOk(await as(gateway, other).get(`/api/jobs/${otherJob}/calls/${call_id}?include=response`));

  expect(response.tool_calls).toHaveLength(2);
  expect(call.response.tool_calls).toEqual(response.tool_calls);
  expect(call.response).not.toHaveProperty('toolCalls');
});

test('a call is read without its texts unless they are included', async () => {
  const call = expectOk(await as(gateway, team).get(pathOf()));

  expect(call).toMatchObject({ payload_stored: true });
  expect(Object.keys(call)).not.toEqual(expect.arrayContaining(['request']));
});

test('a text longer than max_bytes is cut between characters and marked as cut (spec 19.28)', async () => {
  const whole = expectOk(await as(gateway, team).get(pathOf('?include=request')));
  const text = JSON.stringify(whole.request);
  const inLetter = Buffer.from(text.slice(0, text.indexOf('ö'))).length + 1;

  const call = expectOk(await as(gateway, team).get(pathOf(`?include=request&max_bytes=${inLetter}`)));

  expect(call).toMatchObject({ truncated: true, request_bytes: Buffer.byteLength(text) });
  expect(text.startsWith(call.request)).toBe(true);
  expect(Buffer.byteLength(call.request)).toBe(inLetter - 1);
});

test("an admin's read of the texts of a call is audited, and refused with ADMIN_READS_PAYLOADS=off (spec 19.29)", async () => {
  const read = (query: string) => asAdmin(gateway).get(pathOf(query));
  const { config } = gateway.current.deps;
  const before = (await readAudit(gateway.current, job)).length;

  const without = expectOk(await read(''));
  const withTexts = expectOk(await read('?include=response'));
  config.ADMIN_READS_PAYLOADS = false;
  const refused = await read('?include=request');
  config.ADMIN_READS_PAYLOADS = true;

  expect(without).toMatchObject({ resolved_model: 'sim-ok', attempts: [{ outcome: 'succeeded' }] });
  expect(withTexts.response).toMatchObject({ content: expect.any(String) });
  expect([refused.status, refused.body.detail]).toEqual([403, 'Admins may not read requests and responses here']);
  expect((await readAudit(gateway.current, job)).slice(0, -before || undefined)).toMatchObject([
    { action: 'read_call_payload', resource_type: 'job', details: { call_id: callId, include: ['response'] } },
  ]);
});

test('a call whose texts were deleted is read without them', async () => {
  const other = expectOk(await as(gateway, team).call(job)).call_id;
  await gateway.current.deps.database.pool.query('delete from call_payloads where call_id = $1', [other]);

  const call = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${other}?include=request,response`));

  expect(call).toMatchObject({
    payload_stored: false,
    request: null,
    response: null,
    request_bytes: null,
    truncated: false,
  });
});

test('a call of another job or of another team is not read (spec 19.28)', async () => {
  const own = as(gateway, team);
  const otherJob = await given.job(team);

  expect((await own.get(`/api/jobs/${otherJob}/calls/${callId}`)).status).toBe(404);
  expect((await as(gateway, await given.team()).get(pathOf('?include=request'))).status).toBe(403);
  for (const include of ['messages', 'request,', ''])
    expect((await own.get(pathOf(`?include=${include}`))).status).toBe(422);
});

test('the calls of a job are listed in their order, by status and page by page (spec 19.27)', async () => {
  const failing = await given.team({ models: ['sim-fail-400'] });
  const many = await given.job(failing);
  for (const purpose of ['a', 'b', 'c']) await as(gateway, failing).call(many, { purpose });
  const list = async (query: string) => expectOk(await as(gateway, failing).get(`/api/jobs/${many}/calls${query}`));

  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.next_cursor}&count=none`);

  expect(first).toMatchObject({
    job_id: many,
    total: 3,
    calls: [{ purpose: 'a', position: 1, status: 'failed' }, { purpose: 'b' }],
  });
  expect(second).toMatchObject({ total: null, calls: [{ purpose: 'c', position: 3 }], next_cursor: null });
  expect(await list('?status=succeeded')).toMatchObject({ total: 0, calls: [] });
});
