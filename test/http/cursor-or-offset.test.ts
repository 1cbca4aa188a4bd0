import { routes } from '../../src/http/routes.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { adminsIn, forAdmins } from './admin-users/admins.ts';

const gateway = gatewayForTests({ ...forAdmins, worker: true });
const given = givenIn(gateway);
const admins = adminsIn(gateway);

const lists = routes
  .map(({ spec }) => spec)
  .filter(({ query }) => query && 'cursor' in query.shape && 'offset' in query.shape)
  .map(({ path }) => path);

test('every list refuses a cursor together with an offset above 0, and accepts a cursor with an offset of 0 (spec 19.60)', async () => {
  const { token } = await admins.owner();
  const team = await given.team();
  const { webhook_id } = await given.admin('post', '/api/webhooks/register', {
    team_id: team.teamId,
    webhook_url: 'https://example.com/hook',
    events: ['job.created'],
  });
  const ids: Record<string, string> = { team_id: team.teamId, webhook_id, job_id: await given.job(team) };
  const statusesOf = (query: string) =>
    Promise.all(
      lists.map(async (list) => {
        const path = list.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
        const answer = await sendRequest(gateway.current.url, 'get', `${path}?${query}&team_id=${team.teamId}`, {
          key: list.startsWith('/api/admin-users') ? token : gateway.current.masterKey,
        });
        return [list, answer.status, answer.body?.detail?.[0]?.loc];
      }),
    );

  const [together, alone] = [await statusesOf('cursor=&offset=1'), await statusesOf('cursor=&offset=0')];

  expect(lists.length).toBeGreaterThan(9);
  expect(together).toEqual(lists.map((list) => [list, 422, ['query', 'offset']]));
  expect(alone).toEqual(lists.map((list) => [list, 200, undefined]));
});
