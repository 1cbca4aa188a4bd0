import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { adminsIn } from '../http/admin-users/admins.ts';
import { execute, urlOfDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { maintain } from '../support/maintain.ts';
import { runProgram } from '../support/run-program.ts';
import { services } from '../support/services.ts';

const suffix = randomBytes(6).toString('hex');
const name = `service_role_${suffix}`;
const owner = urlOfDatabase(services.adminDatabaseUrl, name);
const service = new URL(owner);
service.username = `service_${suffix}`;
service.password = randomBytes(12).toString('hex');

const migrate = (serviceUrl = service.href) =>
  runProgram('src/db/migrate.ts', { DATABASE_URL: owner, DATABASE_SERVICE_URL: serviceUrl });

let gateway: Gateway;
beforeAll(async () => {
  await execute(services.adminDatabaseUrl, `create database ${name}`);
  await migrate();
  gateway = await startGateway({ settings: { DATABASE_URL: service.href } });
}, 60_000);
afterAll(async () => {
  await gateway?.close();
  await execute(services.adminDatabaseUrl, `drop database if exists ${name} with (force)`);
  await execute(services.adminDatabaseUrl, `drop role if exists ${service.username}`);
});

const current = {
  get current() {
    return gateway;
  },
};

test('api and worker do all of their work as a role that owns no table (spec 15.12)', async () => {
  const given = givenIn(current);
  const team = await given.team({ credits: 5, auto_refill: true, refill_amount: 1, refill_period: 'daily' });
  const { post, single, call, stream, complete } = as(current, team);
  const webhook = { team_id: team.teamId, webhook_url: 'https://receiver.example/', events: ['job.completed'] };
  expectOk(await post('/api/webhooks/register', webhook));
  const job = await given.job(team);
  expectOk(await call(job));
  expectOk(await stream(job));
  expectOk(await complete(job));
  expectOk(await single({}, { 'Idempotency-Key': 'once' }));
  await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, {});
  await given.admin('post', `/api/teams/${team.teamId}/credits/adjust`, { credits_amount: 1, reason: 'a gift' });
  await adminsIn(current).owner();
  await maintain(gateway);
  await migrate();

  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  expect(await checkLedger(gateway.deps.database)).toEqual([]);
});

test.each([
  ["update credit_transactions set reason = 'another'"],
  ['delete from credit_transactions'],
  ['truncate credit_transactions cascade'],
  ['update audit_log set action = null'],
  ['delete from audit_log'],
  ['truncate audit_log'],
  ['alter table credit_transactions disable trigger all'],
  ['alter table audit_log disable trigger all'],
  ["set session_replication_role = 'replica'"],
  ['drop trigger refuse_change_of_ledger_rows on credit_transactions'],
  ['create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$'],
  ['alter table jobs add column more text'],
  ['alter table jobs drop constraint if exists jobs_pkey cascade'],
  ['drop table jobs cascade'],
  ['create table mine (id integer)'],
  ['create role another'],
  ['delete from migrations'],
  ["copy (select 1) to program 'true'"],
])('the role of the service may not: %s (spec 12.12, spec 15.12)', async (sql) => {
  const client = new pg.Client({ connectionString: service.href });
  await client.connect();
  try {
    await expect(client.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  } finally {
    await client.end();
  }
});

test('migrations refuse a service role that owns the tables', async () => {
  await expect(migrate(owner)).rejects.toMatchObject({
    stdout: expect.stringContaining('has the role that owns the tables'),
  });
});
