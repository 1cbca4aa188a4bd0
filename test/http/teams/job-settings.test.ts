import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const sources = [
  'header:x-session-id',
  'body:user',
  'body:session_id',
  'body:prompt_cache_key',
  'body:metadata.chat id',
  'body:metadata.a.b',
  'body:metadata.ж',
];

test('a team is created with the sources of its task ids and reads them with its key', async () => {
  const team = await given.team({ job_key_from: sources, jobless_calls: 'refuse' });

  const read = await as(gateway, team).get(`/api/teams/${team.teamId}`);

  expect(expectOk(read)).toMatchObject({ job_key_from: sources, jobless_calls: 'refuse' });
});

test('sources that name the same header are one, in lower case', async () => {
  const team = await given.team();

  const changed = await admin.put(`/api/teams/${team.teamId}`, {
    job_key_from: ['header:X-Session-Id', 'body:user', 'header:x-session-id', 'body:user'],
  });

  expect(expectOk(changed).job_key_from).toEqual(['header:x-session-id', 'body:user']);
});

test('an update that omits the settings of jobs, or has null for them, keeps them, and an empty list clears the sources', async () => {
  const team = await given.team({ job_key_from: ['body:user'], jobless_calls: 'refuse' });
  const update = async (body: object) => expectOk(await admin.put(`/api/teams/${team.teamId}`, body));

  expect(await update({ team_alias: 'Another' })).toMatchObject({
    job_key_from: ['body:user'],
    jobless_calls: 'refuse',
  });
  expect(await update({ job_key_from: null, jobless_calls: null })).toMatchObject({
    job_key_from: ['body:user'],
    jobless_calls: 'refuse',
  });
  expect(await update({ job_key_from: [] })).toMatchObject({ job_key_from: [], jobless_calls: 'refuse' });
});

test.each([
  ['a body field that is not offered', { job_key_from: ['body:model'] }, 0],
  ['metadata without a key', { job_key_from: ['body:user', 'body:metadata.'] }, 1],
  ['a header without a name', { job_key_from: ['header:'] }, 0],
  ['a header name with a space', { job_key_from: ['header:x session'] }, 0],
  ['a header that carries a credential', { job_key_from: ['header:Authorization'] }, 0],
  ['another header that carries a credential', { job_key_from: ['header:x-admin-key'] }, 0],
  ['the cookies', { job_key_from: ['header:cookie'] }, 0],
  ['a name without its kind', { job_key_from: ['x-session-id'] }, 0],
  ['nothing', { job_key_from: [''] }, 0],
  ['a number', { job_key_from: [7] }, 0],
])('a source of task ids that is %s is 422 (spec 17.4, spec 18.3)', async (_, body, place) => {
  const team = await given.team();

  const refused = await admin.put(`/api/teams/${team.teamId}`, body);

  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'job_key_from', place]]);
});

test.each([
  { job_key_from: Array.from({ length: 9 }, (_, n) => `header:x-${n}`) },
  { job_key_from: 'body:user' },
  { jobless_calls: 'allow' },
])('settings of jobs like %j are 422', async (body) => {
  const team = await given.team();

  expect((await admin.put(`/api/teams/${team.teamId}`, body)).status).toBe(422);
});

test('a key of the team cannot change the settings of its jobs', async () => {
  const team = await given.team();
  const { url } = gateway.current;

  const refused = await sendRequest(url, 'put', `/api/teams/${team.teamId}`, {
    key: team.key,
    body: { job_key_from: ['body:user'] },
  });

  expect(refused.status).toBe(401);
  expect((await admin.get(`/api/teams/${team.teamId}`)).body.job_key_from).toEqual([]);
});
