import {
  claimUpstreamChange,
  completeUpstreamChange,
  listPendingChanges,
} from '../../src/db/upstream-teams/pending-changes.ts';
import { recordUpstreamChange } from '../../src/db/upstream-teams/record-change.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const change = (team: string) =>
  gateway.current.deps.database.transaction((entities) => recordUpstreamChange(entities, team));

test('a change of a team while an earlier one is sent upstream stays pending', async () => {
  const { database } = gateway.current.deps;
  const { teamId } = await given.team();
  await change(teamId);
  const version = await claimUpstreamChange(database, teamId);
  await change(teamId);

  const done = await completeUpstreamChange(database, teamId, version!);

  const { rows } = await database.pool.query('select from upstream_changes where team_id = $1', [teamId]);
  expect([done, rows.length]).toEqual([false, 1]);
});

test('a change that a process has claimed is neither claimed nor listed again', async () => {
  const { database } = gateway.current.deps;
  const { teamId } = await given.team();
  await change(teamId);

  const claimed = [await claimUpstreamChange(database, teamId), await claimUpstreamChange(database, teamId)];

  expect(claimed).toEqual([expect.anything(), undefined]);
  expect(await listPendingChanges(database, 100)).not.toContain(teamId);
});
