import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { spelledFor } from '../../webhook-delivery/private-spellings.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_RETRY_DELAYS: '0ms', MAX_WEBHOOKS_PER_TEAM: '250' } });
const given = givenIn(gateway);

afterEach(closeReceivers);

test('no connection is made to a private address that passed the registration (spec 11.4)', async () => {
  const canary = await startReceiver();
  const team = await given.team();
  const registration = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.created'] };
  const urls = spelledFor(canary.port).filter((url) => URL.canParse(url));
  const { pool } = gateway.current.deps.database;
  for (const url of urls) {
    const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', registration));
    await pool.query('update webhooks set webhook_url = $2 where webhook_id = $1', [webhook_id, url]);
  }

  await given.job(team);

  const ended = await until(
    async () => (await pool.query(`select last_error from webhook_deliveries where status = 'exhausted'`)).rows,
    (rows) => rows.length === urls.length,
    50_000,
  );
  expect(urls.length).toBeGreaterThan(60);
  expect(new Set(ended.map(({ last_error }) => last_error))).toContain(
    'the host was not found or must not be connected to',
  );
  expect(canary.connections).toBe(0);
});
