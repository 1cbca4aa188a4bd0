import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('an attempt marks the first token of its call again when it repeats, and not when it was superseded', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const callId = await insertUnsentCall(gateway.current, team, await given.job(team));

  await startAs(1, callId);
  const marked = [await markFirstToken(database, callId, 1), await markFirstToken(database, callId, 1)];
  const later = await startAs(2, callId);
  const superseded = await markFirstToken(database, callId, 1);

  expect(marked).toEqual([true, true]);
  expect(later).toMatchObject({ is_started: true, has_first_token: true });
  expect(superseded).toBe(false);
});

const startAs = (workerAttempt: number, callId: string) =>
  startCall(gateway.current.deps.database, callId, { workerAttempt, startsJob: true, jobStartedAt: new Date() });
