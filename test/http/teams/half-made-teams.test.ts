import { deleteStoredAnswers } from '../../support/delete-stored-answers.ts';
import { expectOk, unique } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { chatStatus } from './chat-status.ts';
import { creatingTeams } from './creating-teams.ts';

const { gateway, given, admin, create, bare, upstreamOf, keysUpstream } = creatingTeams();

test.each(['/team/new', '/key/generate'])(
  'if the upstream refuses %s, no team is created here or upstream (spec 8.3)',
  async (path) => {
    const body = await bare();
    gateway.current.simulator.script(path, 'sim-fail-500', 1);

    const refused = await create(body);

    expect(refused).toMatchObject({
      status: 500,
      body: { detail: expect.stringMatching(/^Upstream registration failed: /) },
    });
    expect(upstreamOf(body.team_id)).toBeUndefined();
    expect((await admin.get(`/api/teams/${body.team_id}`)).status).toBe(404);
    expectOk(await create(body));
  },
);

test('a team that the upstream made without answering is completed by the same request', async () => {
  const body = await bare();
  gateway.current.simulator.script('/team/new', 'sim-stream-cut-0', 1);
  gateway.current.simulator.script('/team/delete', 'sim-fail-500', 1);

  expect((await create(body)).status).toBe(500);
  expect(upstreamOf(body.team_id)).toBeDefined();

  const { virtual_key } = expectOk(await create(body));
  expect(keysUpstream(body.team_id)).toHaveLength(1);
  expect(
    (await sendRequest(gateway.current.url, 'get', `/api/teams/${body.team_id}`, { key: virtual_key })).status,
  ).toBe(200);
});

test('the remains of a failed creation are removed upstream before the team is made in another organization or with another upstream id', async () => {
  const { simulator } = gateway.current;
  const failing = async (body: object) => {
    simulator.script('/key/generate', 'sim-fail-500', 1);
    simulator.script('/team/delete', 'sim-fail-500', 1);
    expect((await create(body)).status).toBe(500);
  };
  const body = { ...(await bare()), proxy_team_id: unique('proxy') };
  await failing(body);
  expect(upstreamOf(body.proxy_team_id)).toBeDefined();

  const { proxy_team_id, ...rest } = { ...body, organization_id: await given.organization() };
  expectOk(await create(rest));

  expect(upstreamOf(proxy_team_id)).toBeUndefined();
  expect(upstreamOf(body.team_id)?.metadata).toMatchObject({ organization_id: rest.organization_id });
});

test('the upstream id of a team that could not be created can be used by another team at once (spec 8.3)', async () => {
  const body = { ...(await bare()), proxy_team_id: unique('proxy') };
  gateway.current.simulator.script('/team/new', 'sim-fail-500', 1);
  expect((await create(body)).status).toBe(500);

  expectOk(await create({ ...body, team_id: unique('team') }));
});

test('a creation is refused while the upstream does not delete the remains of a failed one', async () => {
  const body = await bare();
  const { simulator } = gateway.current;
  simulator.script('/key/generate', 'sim-fail-500', 1);
  simulator.script('/team/delete', 'sim-fail-500', 2);
  expect((await create(body)).status).toBe(500);

  const another = { ...body, organization_id: await given.organization() };
  expect(await create(another)).toMatchObject({
    status: 500,
    body: { detail: expect.stringMatching(/^Upstream registration failed: /) },
  });

  expectOk(await create(another));
});

test('fifty simultaneous creations of a team make one team here and one upstream (spec 8.6)', async () => {
  const body = { ...(await bare()), credits_allocated: 7 };

  const answers = await Promise.all(Array.from({ length: 50 }, () => create(body)));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
  expect(keysUpstream(body.team_id)).toHaveLength(1);
  const { body: ledger } = await admin.get(`/api/teams/${body.team_id}/credits/transactions`);
  expect(ledger.transactions).toHaveLength(1);
});

test('a repeated creation of a team after a crash returns the team and the key of the first creation', async () => {
  const body = { ...(await bare()), credits_allocated: 3 };
  const key = unique('key');
  const first = expectOk(await create(body, { 'idempotency-key': key }));
  await deleteStoredAnswers(gateway.current);

  expect(expectOk(await create(body, { 'idempotency-key': key }))).toEqual(first);

  expect((await create(body, { 'idempotency-key': unique('key') })).status).toBe(400);
  expect(await readAudit(gateway.current, body.team_id)).toHaveLength(1);
});

test('a creation that is executed twice at the same moment makes one team with one key', async () => {
  const body = await bare();
  const headers = { 'idempotency-key': unique('key') };
  gateway.current.simulator.script('/team/new', 'sim-slow-400', 1);
  const first = create(body, headers);
  // The first one is waiting for the upstream; its lock on the key runs out, as if its process were frozen.
  const { pool } = gateway.current.deps.database;
  const claimed = () => pool.query('select from team_registrations where team_id = $1', [body.team_id]);
  await until(claimed, ({ rowCount }) => rowCount === 1);
  await pool.query(`update idempotency_keys set locked_until = now() - interval '1 s' where status is null`);
  const second = create(body, headers);

  const answers = [expectOk(await first), expectOk(await second)];

  expect(answers[0]).toEqual(answers[1]);
  const served = await chatStatus(gateway.current, answers[0].virtual_key);
  // No models, but a key that the upstream knows.
  expect([served, keysUpstream(body.team_id).length]).toEqual([403, 1]);
});
