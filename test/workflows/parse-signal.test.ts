import { cancel, complete, llmCall } from '../../workflows/contract/messages.ts';
import { call, cancellation, completion } from './job-signals.ts';
import { jobsForTests } from './start-jobs.ts';

const jobs = jobsForTests();

test.each<[string, unknown[]]>([
  ['cancel', []],
  ['complete', []],
  ['updateMetadata', []],
  ['llmCall', []],
  ['llmCall', [null]],
  ['llmCall', [{ call_id: 7 }]],
  ['complete', [{ command_id: 'one', status: 'bogus' }]],
  ['complete', [{ command_id: 'one', status: 'completed', metadata: 'text' }]],
  ['updateMetadata', [{ command_id: 'one', metadata: [] }]],
  ['cancel', [{ command_id: 'one', reason: {} }]],
  ['cancel', ['text']],
  ['cancel', [{ command_id: 'one', reason: 'x'.repeat(1_001) }]],
  ['complete', [{ command_id: 'one', status: 'failed', error_message: 'x'.repeat(1_001) }]],
  ['cancel', [{ command_id: 'one', reason: '🙂'.repeat(1_001) }]],
  ['complete', [{ command_id: 'one', status: 'failed', error_message: 'half \ud83d' }]],
  ['updateMetadata', [{ command_id: 'one', metadata: { key: ['\u0000'] } }]],
  ['updateMetadata', [{ command_id: 'one', metadata: { deep: JSON.parse('['.repeat(99) + ']'.repeat(99)) } }]],
  ['llmCall', [{ call_id: 'b', model_group: '\u0000' }]],
  ['__proto__', []],
])('the malformed signal %s with %j is ignored', async (name, message) => {
  const job = await jobs.current.start();

  await job.signal(name, ...message);
  await job.signal(llmCall, call('a'));
  await job.signal(name, ...message);
  await job.signal(complete, completion());

  expect((await job.result()).status).toBe('completed');
  expect(jobs.current.log).toEqual(['callUpstream a', 'settleJob completed']);
});

test('a reason is limited to 1,000 characters, of one UTF-16 unit or of two', async () => {
  const [failing, cancelled] = await Promise.all([jobs.current.start(), jobs.current.start()]);
  const reason = '🙂'.repeat(1_000);

  await failing.signal(complete, { ...completion(), status: 'failed', error_message: reason });
  await cancelled.signal(cancel, cancellation(reason));

  expect((await failing.result()).status).toBe('failed');
  expect((await cancelled.result()).status).toBe('cancelled');
});
