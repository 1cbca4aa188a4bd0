import { randomUUID } from 'node:crypto';
import { auditEntry } from '../../src/db/audit/write-audit-entry.ts';
import { admitCallWithJob } from '../../src/db/calls/admit-call-with-job.ts';
import { insertJob, type NewJob } from '../../src/db/jobs/insert-job.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { insertOrganization } from '../../src/db/organizations/insert-organization.ts';
import { claimTeam, expireClaim } from '../../src/db/teams/claim-team.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { besideUncommitted } from '../support/locks.ts';
import { newCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** `work`, while another execution of the same operation has not committed yet. */
const beside = <T>(sql: string, values: unknown[], work: () => Promise<T>) =>
  besideUncommitted(gateway.current, { sql, values, waiting: 1 }, work);

const insertion = 'insert into jobs (job_id, team_id, organization_id, job_type) values ($1, $2, $3, $4)';
const valuesOf = ({ job_id, team_id, organization_id, job_type }: NewJob) => [
  job_id,
  team_id,
  organization_id,
  job_type,
];

test('a job that another execution of the request is inserting is found by its id (spec 10.8)', async () => {
  const job = newJob(await given.team());

  const inserted = await beside(insertion, valuesOf(job), () => insertJob(gateway.current.deps.database, job));

  expect(inserted).toEqual({
    created_at: expect.any(Date),
    created_now: false,
    delivery_ids: [],
    credits_held: null,
    budget: null,
  });
});

const admit = (team: GivenTeam, job: NewJob, call_id: string) =>
  admitCallWithJob(gateway.current.deps.database, job, {
    ...newCall(gateway.current, team),
    call_id,
    job_id: job.job_id,
  });

test('a single-call job that another execution of the request is inserting is found by its id', async () => {
  const team = await given.team();
  const job = newJob(team);

  const admission = await beside(insertion, valuesOf(job), () => admit(team, job, randomUUID()));

  expect(admission).toMatchObject({
    job: { created_at: expect.any(Date) },
    refusal: null,
    model_group_used: team.modelGroup,
  });
});

test('a single-call job that was admitted is found again when its model group would be refused now', async () => {
  const team = await given.team();
  const [job, call] = [newJob(team), randomUUID()];
  const { job: created } = await admit(team, job, call);
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { status: 'inactive' });

  expect(await admit(team, job, call)).toMatchObject({ job: created, refusal: null });
});

test('an organization that another execution of the request is inserting is found by its audit entry', async () => {
  const organization_id = unique('org');
  const organization = { organization_id, name: 'Acme', metadata: {}, proxy_organization_id: null };
  const change = { action: 'created_organization', resource_type: 'organization', resource_id: organization_id };
  const auditId = randomUUID();
  const entry = auditEntry(auditId, { caller: { kind: 'platform' }, ip: '' }, change);

  const inserted = await beside(
    `with made as (insert into organizations (organization_id, name) values ($1, 'Acme'))
     insert into audit_log (audit_id, action, resource_type, resource_id)
     values ($2, 'created_organization', 'organization', $1)`,
    [organization_id, auditId],
    () => insertOrganization(gateway.current.deps.database, organization, entry),
  );

  expect(inserted).toMatchObject({ organization_id, name: 'Acme' });
});

test('a claim of a team that another execution of the request has just created returns created, and the claim of another request taken', async () => {
  const { database } = gateway.current.deps;
  const [team_id, organization_id] = [unique('team'), await given.organization()];
  const claim = { team_id, organization_id, proxy_team_id: team_id, operation_id: randomUUID() };
  await claimTeam(database, claim);
  const making = 'update team_registrations set claimed_until = null where team_id = $1';

  expect(await beside(making, [team_id], () => claimTeam(database, claim))).toBe('created');
  expect(await claimTeam(database, { ...claim, operation_id: randomUUID() })).toBe('taken');
});

test('an expired claim is not taken over for another organization or another id upstream', async () => {
  const { database } = gateway.current.deps;
  const [team_id, organization_id] = [unique('team'), await given.organization()];
  const claim = { team_id, organization_id, proxy_team_id: team_id, operation_id: randomUUID() };
  await claimTeam(database, claim);
  await expireClaim(database, claim);
  const operation_id = randomUUID();

  const claimed = [
    await claimTeam(database, { ...claim, operation_id, proxy_team_id: unique('proxy') }),
    await claimTeam(database, { ...claim, operation_id, organization_id: await given.organization() }),
    await claimTeam(database, { ...claim, operation_id }),
  ];

  expect(claimed).toEqual(['taken', 'taken', 'claimed']);
});

test('a job that is settled twice at once ends once and is counted once (spec 6.10)', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const end = { ...endAsRecorded(job.job_id, 'failed', 'no answer'), credits: 0 };
  const open = { sql: 'select from jobs where job_id = $1 for update', values: [job.job_id], waiting: 2 };

  const settled = await besideUncommitted(gateway.current, open, () =>
    Promise.all([settleJob(database, end), settleJob(database, end)]),
  );

  expect(settled.map((one) => one!.ended_now).sort()).toEqual([false, true]);
  expect(await checkLedger(database)).toEqual([]);
});
