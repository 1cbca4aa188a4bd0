import { randomUUID } from 'node:crypto';
import { createSecrets } from '../../src/auth/secrets.ts';
import { createQueuedCalls, type QueuedCall } from '../../src/calls/queued-calls.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import { createLog } from '../../src/log.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { publishQueuedCall } from '../../src/redis/queued-calls.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();
const secrets = createSecrets('a'.repeat(64));

/** The notices of an installation of its own. */
async function subscribed() {
  const installation = randomUUID();
  const redis = await openReadyRedis(closing);
  const { commands } = redis;
  const channels = createPubSub(redis);
  const notices: QueuedCall[] = [];
  const calls = createQueuedCalls({ commands, channels }, secrets, installation, createLog('silent', 'test'));
  calls.subscribe((call) => notices.push(call));
  await until(async () => (await commands.pubsub('NUMSUB', `queued-calls:${installation}`))[1] === 1);
  return { calls, notices, installation, commands, channels };
}

const requestOf = (request: string, options: string | null = null): RequestOfCall => ({
  call_id: randomUUID(),
  job_id: randomUUID(),
  team_id: 'acme',
  request_id: 'a-request',
  model_group_used: 'smart',
  streamed: true,
  candidates: [
    {
      model: 'gpt',
      inputPerMillion: '1',
      outputPerMillion: null,
      cachedInputPerMillion: null,
      cacheWritePerMillion: null,
    },
  ],
  request,
  options,
  request_bytes: Buffer.byteLength(request + (options ?? '')),
  extra_fields: [],
  blocked_fields: ['seed'],
  max_output_tokens: 100,
  key_sealed: Buffer.from([0, 255, 1]),
});

test('a notice of a call has all that its models are asked, and Redis sees none of it', async () => {
  const { calls, notices, installation, channels } = await subscribed();
  const seen: string[] = [];
  await channels.subscribe(`queued-calls:${installation}`, (text) => seen.push(text));
  const request = requestOf('{"messages":"a secret — 密"}');

  calls.publish(request, false);

  const [notice] = await until(
    () => notices,
    ({ length }) => length === 1,
  );
  expect(notice).toMatchObject({ callId: request.call_id, jobId: request.job_id, isJobNew: false });
  expect(notice!.open()).toEqual(request);
  expect(seen.join()).not.toContain('secret');
});

test('a notice of a long request has its options and length without its text', async () => {
  const { calls, notices } = await subscribed();
  const request = requestOf('x'.repeat(5_000), '{"parts":"sealed"}');

  calls.publish(request, true);

  const [notice] = await until(
    () => notices,
    ({ length }) => length === 1,
  );
  expect(notice!.open()).toEqual({ ...request, request: null });
});

test('a call with long options has no notice', async () => {
  const { calls, notices } = await subscribed();

  calls.publish(requestOf('{}', 'x'.repeat(40_000)), true);
  calls.publish(requestOf('{}'), true);

  await until(() => notices.length === 1);
  expect(notices[0]).toMatchObject({ isJobNew: true });
  expect(notices[0]!.open()).toMatchObject({ request: '{}', options: null });
});

test.each<[string, (notice: { sealed: string; other: string }) => string]>([
  ['that is altered', ({ sealed }) => `${sealed.slice(0, -8)}AAAAAAA=`],
  ['of another call', ({ other }) => other],
  ['that nobody has sealed', () => Buffer.from('{}').toString('base64')],
  ['without content', () => ''],
])('a notice %s asks nothing of a model', async (_, sealedOf) => {
  const { notices, commands, installation } = await subscribed();
  const [call, other] = [requestOf('{}'), requestOf('{}')];
  const sealed = (one: RequestOfCall) =>
    secrets.seal(JSON.stringify({ ...one, key_sealed: null }), one.call_id).toString('base64');
  const notice = { callId: call.call_id, jobId: call.job_id, isJobNew: false };

  publishQueuedCall(commands, installation, {
    ...notice,
    sealed: sealedOf({ sealed: sealed(call), other: sealed(other) }),
  });

  await until(() => notices.length === 1);
  expect(notices[0]!.open()).toBeUndefined();
});
