import { randomUUID } from 'node:crypto';
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

const fields = (text: string) =>
  JSON.stringify({ level: 'info', request_id: randomUUID(), job_id: text, msg: 'request' });

test.each([
  ['with spaces around it', (id: string) => `  ${id} `],
  ['with a comma after it', (id: string) => `${id},`],
  ['in double quotes, with a comma', (id: string) => `"${id}",`],
  ['in backquotes', (id: string) => `\`${id}\``],
  ['in brackets, with a full stop', (id: string) => `(${id}).`],
  ['in upper case', (id: string) => id.toUpperCase()],
  ['without dashes', (id: string) => id.replaceAll('-', '')],
  ['as the beginning without dashes', (id: string) => id.replaceAll('-', '').slice(0, 17)],
  ['as the id of its workflow', (id: string) => `job-${id}`],
  ['as the beginning of the id of its workflow', (id: string) => `job-${id.slice(0, 11)}`],
  ['as the id of a completion', (id: string) => `chatcmpl-${id}`],
  ['as the id of a message', (id: string) => `msg_${id.replaceAll('-', '')}`],
  ['in the address of its receipt', (id: string) => `https://gateway.example.com/console/jobs/${id}?item=end`],
  ['in a command', (id: string) => `curl 'https://gateway.example.com/api/jobs/${id}'`],
  ['in a field of JSON', (id: string) => `"job_id": "${id}",`],
  ['in a line of a log', fields],
])('an id that is pasted %s is found (spec 19.30)', async (_, paste) => {
  expect(await found(paste(job))).toContainEqual(expect.objectContaining({ type: 'job', id: job }));
  expect(await found(paste(call))).toContainEqual(expect.objectContaining({ type: 'call', id: call, job_id: job }));
});

test('the id of a request finds the job, the call, the webhook and the ledger row that it has created (spec 19.30)', async () => {
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hooks', events: ['job.failed'] };
  const made = [
    { answer: await as(gateway, team).single(), type: 'job', field: 'job_id' },
    { answer: await as(gateway, team).call(job), type: 'call', field: 'call_id' },
    { answer: await as(gateway, team).single({}, { 'Idempotency-Key': unique('key') }), type: 'job', field: 'job_id' },
    { answer: await as(gateway, team).post('/api/webhooks/register', webhook), type: 'webhook', field: 'webhook_id' },
  ];

  for (const { answer, type, field } of made) {
    const id = expectOk(answer)[field];
    expect(await found(answer.headers.get('x-request-id')!)).toContainEqual(expect.objectContaining({ type, id }));
  }
});

test.each([
  ['a quoted team', () => `"${team.teamId}",`, 'team'],
  ['a team in JSON', () => `{"level":"warn","team_id":"${team.teamId}"}`, 'team'],
  ['the address of a team', () => `https://example.com/console/teams/${team.teamId}?tab=jobs`, 'team'],
  ['a quoted external id', () => `'${task}'`, 'job'],
  ['an external id in JSON', () => `"external_task_id": "${task}"`, 'job'],
  ['an organization after its field', () => `organization_id=${team.organizationId}`, 'organization'],
])('%s is found by the name in it (spec 19.30)', async (_, paste, type) => {
  expect((await found(paste())).map((hit) => hit.type)).toContain(type);
});

test.each(['"', ' , ', '""'])('a search for %j, which names nothing, finds nothing (spec 19.30)', async (text) => {
  expect(await found(text)).toEqual([]);
});

test('a search without a text is refused', async () => {
  expect((await asAdmin(gateway).get('/api/search')).status).toBe(422);
  expect((await asAdmin(gateway).get('/api/search?q=')).status).toBe(422);
});
