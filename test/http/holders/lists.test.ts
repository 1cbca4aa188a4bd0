import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withTimeout } from '../../../src/concurrency/with-timeout.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, type GivenTeam, givenIn } from '../../support/given.ts';
import { rawRequest } from '../../support/raw.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** More than the buffers of a connection hold. */
const jobs = 1_000;
const metadata = { text: 'x'.repeat(9_000) };

async function teamWithLongList(): Promise<GivenTeam> {
  const team = await given.team();
  await gateway.current.deps.database.pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, metadata)
     select gen_random_uuid(), $1, $2, 'report', $3 from generate_series(1, ${jobs})`,
    [team.teamId, team.organizationId, JSON.stringify(metadata)],
  );
  return team;
}

/** Asks for a page of all of them and reads no more than its first bytes. */
async function askWithoutReading(team: GivenTeam): Promise<Socket> {
  const { hostname, port } = new URL(gateway.current.url);
  const socket = connect(Number(port), hostname);
  const headers = { Host: 'localhost', Authorization: `Bearer ${team.key}` };
  socket.write(rawRequest(`GET /api/jobs?limit=${jobs}`, headers));
  await once(socket, 'readable');
  return socket;
}

test('while a key has four unread pages its next page waits, and that of another key does not (spec 9.6)', async () => {
  const team = await teamWithLongList();
  const other = await given.team();
  const unread = await Promise.all(Array.from({ length: 4 }, () => askWithoutReading(team)));

  const fifth = as(gateway, team).get('/api/jobs?limit=1');
  expect(await withTimeout(fifth, 500).catch(() => 'waits')).toBe('waits');
  expect((await as(gateway, other).get('/api/jobs?limit=1')).status).toBe(200);
  expect((await as(gateway, team).get(`/api/teams/${team.teamId}/credits`)).status).toBe(200);

  for (const socket of unread) socket.destroy();
  expect((await fifth).status).toBe(200);
});
