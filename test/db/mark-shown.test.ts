import { randomUUID } from 'node:crypto';
import { admitCall } from '../../src/db/queries/admit-call.ts';
import { beginCall } from '../../src/db/queries/begin-call.ts';
import { markShown } from '../../src/db/queries/mark-shown.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn, hello } from '../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('an attempt whose answer was lost marks its call again; one that was superseded does not', async () => {
  const { database } = gateway.current.deps;
  const callId = await recordCall();

  await beginAs(1, callId);
  const marked = [await markShown(database, callId, 1), await markShown(database, callId, 1)];
  const later = await beginAs(2, callId);
  const superseded = await markShown(database, callId, 1);

  expect(marked).toEqual([true, true]);
  expect(later).toMatchObject({ begun: true, shown: true });
  expect(superseded).toBe(false);
});

const beginAs = (attempt: number, callId: string) =>
  beginCall(gateway.current.deps.database, callId, { attempt, startsJob: true, jobStartedAt: new Date() });

/** A call of which no worker has heard. */
async function recordCall(): Promise<string> {
  const { database, secrets } = gateway.current.deps;
  const team = await given.team();
  const call_id = randomUUID();
  await admitCall(database, {
    call_id,
    job_id: await given.job(team),
    team_id: team.teamId,
    requested_model: team.modelGroup,
    purpose: null,
    streamed: true,
    call_metadata: null,
    request: JSON.stringify({ messages: hello }),
    key: { hash: secrets.lookupHash(team.key), rpm_limit: null, tpm_limit: null },
  });
  return call_id;
}
