import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { uniqueAddress } from '../admin-users/admins.ts';
import { browserIn } from './browser.ts';

const gateway = gatewayForTests({ worker: false, settings: { TRUST_PROXY: 'on', MAX_WEBHOOKS_PER_TEAM: '1' } });
const given = givenIn(gateway);
const browser = browserIn(gateway);

const entriesOf = async (resource: string, action: string) =>
  (await readAudit(gateway.current, resource)).filter((entry) => entry.action === action);

test('sign-ins of one team from one address are audited once a minute, and each from another address (spec 12.11)', async () => {
  const team = await given.team();
  const [here, elsewhere] = [uniqueAddress(), uniqueAddress()];
  const signIn = async (address: string) =>
    expectOk(await browser.signIn({ virtual_key: team.key }, { 'x-forwarded-for': address }));

  for (let n = 0; n < 5; n++) await signIn(here);
  await signIn(elsewhere);
  const before = await entriesOf(team.teamId, 'login');
  await gateway.current.deps.database.pool.query('alter table audit_log disable trigger refuse_change_of_audit_rows');
  await gateway.current.deps.database.pool.query(
    `update audit_log set created_at = created_at - interval '1 minute' where resource_id = $1`,
    [team.teamId],
  );
  await gateway.current.deps.database.pool.query('alter table audit_log enable trigger refuse_change_of_audit_rows');
  await signIn(here);

  expect(before).toHaveLength(2);
  expect(await entriesOf(team.teamId, 'login')).toHaveLength(3);
});

test('the same change of a webhook is audited once a minute, and another change at once (spec 12.11)', async () => {
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/a', events: ['job.completed'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const change = async (fields: object) =>
    expectOk(await as(gateway, team).patch(`/api/webhooks/${webhook_id}`, fields));

  for (let n = 0; n < 6; n++) await change({ is_active: n % 2 });
  await change({ webhook_url: 'https://elsewhere.example.com/' });

  const entries = await entriesOf(webhook_id, 'updated_webhook');
  expect(entries.map(({ details }) => details)).toEqual([
    expect.objectContaining({ receiver_changed: true }),
    expect.objectContaining({ fields: ['is_active'] }),
  ]);
});

test('a team registers a bounded number of webhooks in a day, because registrations are audited for ever (spec 9.7)', async () => {
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/a', events: ['job.completed'] };
  const register = () => as(gateway, team).post('/api/webhooks/register', webhook);
  for (let n = 0; n < 20; n++) {
    const { webhook_id } = expectOk(await register());
    expectOk(await as(gateway, team).delete(`/api/webhooks/${webhook_id}`));
  }

  const refused = await register();

  expect(refused).toMatchObject({
    status: 429,
    body: { detail: expect.stringContaining('webhooks registered in a day') },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
  expect(await given.admin('post', '/api/webhooks/register', webhook)).toHaveProperty('secret');
});
