import { findJob } from '../../../src/db/queries/find-job.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('who was answered that metadata are updated finds them in the record', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const recorded: unknown[] = [];

  for (let step = 0; step < 50; step += 1) {
    expectOk(await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { step } }));
    recorded.push((await findJob(gateway.current.deps.database, job))?.metadata.step);
  }

  expect(recorded).toEqual(recorded.map((_, step) => step));
});
