import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
let job: string;
let call: string;
const task = unique('ticket');
beforeAll(async () => {
  team = await given.team();
  job = await given.job(team, { external_task_id: task });
  call = expectOk(await as(gateway, team).call(job)).call_id;
});

type Hit = { type: string; id: string; job_id?: string };
const found = async (q: string): Promise<Hit[]> =>
  expectOk(await asAdmin(gateway).get(`/api/search?q=${encodeURIComponent(q)}`)).results;

test('a search for the beginning of an id, in upper or lower case, finds what has this id (spec 19.30)', async () => {
  expect(await found(job.slice(0, 13).toUpperCase())).toEqual([
    { type: 'job', id: job, label: 'report', detail: 'in_progress', job_id: job, team_id: team.teamId },
  ]);
  expect(await found(call)).toMatchObject([{ type: 'call', id: call, job_id: job }]);
});

test('a search for the beginning of a reference finds its jobs, with an exact match first', async () => {
  const longer = await given.job(team, { external_task_id: `${task}-b` });

  expect((await found(task)).map(({ id }) => id)).toEqual([job, longer]);
  expect((await found(task.slice(0, -1))).map(({ id }) => id).sort()).toEqual([job, longer].sort());
});

test('an admin finds teams, organizations, model groups and aliases by a part of their name (spec 19.30)', async () => {
  const alias = await given.alias();

  expect(await found(team.teamId.slice(2).toUpperCase())).toMatchObject([{ type: 'team', id: team.teamId }]);
  expect(await found(team.organizationId)).toMatchObject([{ type: 'organization', id: team.organizationId }]);
  expect(await found(team.modelGroup)).toMatchObject([{ type: 'model_group', id: team.modelGroup }]);
  expect(await found(alias)).toMatchObject([{ type: 'model_alias', id: alias }]);
});

test('a team finds nothing of other teams (spec 19.30)', async () => {
  const other = await given.team();
  const search = async (q: string) => expectOk(await as(gateway, other).get(`/api/search?q=${q}`)).results;

  for (const q of [job, call, task, team.teamId, team.organizationId, other.organizationId, '%25', '_'])
    expect(await search(q)).toEqual([]);
});

test('a search without a text is refused', async () => {
  expect((await asAdmin(gateway).get('/api/search')).status).toBe(422);
  expect((await asAdmin(gateway).get('/api/search?q=')).status).toBe(422);
});
