import { findJob } from '../../../src/db/jobs/find-job.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('updated metadata are in the record as soon as the update is answered (spec 3.3, spec 3.4)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const recorded: unknown[] = [];

  for (let step = 0; step < 50; step += 1) {
    expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { step } }));
    recorded.push((await findJob(gateway.current.deps.database, job))?.metadata.step);
  }

  expect(recorded).toEqual(recorded.map((_, step) => step));
});

test('a metadata update that took effect just before its job ended returns its own result, not later metadata', async () => {
  const team = await given.team();
  const own: unknown[] = [];

  for (let round = 0; round < 20; round += 1) {
    const job = await given.job(team);
    const patch = (step: number) => as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { step } });
    const complete = () =>
      as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'completed', metadata: { step: 'completed' } });
    const [first, second] = await Promise.all([patch(1), patch(2), complete()]);
    own.push([
      first.status === 409 ? 1 : first.body.metadata.step,
      second.status === 409 ? 2 : second.body.metadata.step,
    ]);
  }

  expect(own).toEqual(own.map(() => [1, 2]));
});
