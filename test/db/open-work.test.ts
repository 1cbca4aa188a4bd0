import { randomUUID } from 'node:crypto';
import { listPendingDeliveries } from '../../src/db/maintenance/open-work.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('a delivery that waits to be started again is not compared with its earlier workflow', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/', events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const [started, reopened] = [randomUUID(), randomUUID()];
  await database.pool.query(
    `insert into webhook_deliveries (delivery_id, webhook_id, event, body, started_at)
     values ($1, $3, 'job.created', '{}', now()), ($2, $3, 'job.created', '{}', null)`,
    [started, reopened, webhook_id],
  );

  const everything = { after: { created_at: new Date(0), id: randomUUID() }, until: new Date(), limit: 10 };
  expect(await listPendingDeliveries(database, everything)).toMatchObject([{ id: started }]);
});
