import { cancel, complete, llmCall } from '../../workflows/contract/messages.ts';
import { until } from '../support/until.ts';
import { call, cancellation, completion } from './job-signals.ts';
import { jobsForTests } from './start-jobs.ts';

const jobs = jobsForTests();

test('a cancel aborts the call in flight', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.current.running.has('hangs-1'));

  await job.signal(cancel, cancellation('not needed'));
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.current.log.slice(0, 2).sort()).toEqual(['abortCalls', 'callUpstream hangs-1']);
  expect(jobs.current.log.slice(2)).toEqual(['settleJob cancelled']);
});

test('a cancel aborts the running calls among a hundred ended ones, the first of them like the last', async () => {
  const job = await jobs.current.start();
  const hanging = ['hangs-first', 'hangs-halfway', 'hangs-last'];
  const among = (from: number) => Array.from({ length: 60 }, (_, index) => call(`a-${from + index}`));
  const signals = [call(hanging[0]!), ...among(0), call(hanging[1]!), ...among(60), call(hanging[2]!)];
  for (const signal of signals) await job.signal(llmCall, signal);
  const ended = signals.length - hanging.length;
  await until(() => jobs.current.log.length === ended && jobs.current.running.size === hanging.length);

  await job.signal(cancel, cancellation());
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.current.log.slice(ended).sort()).toEqual([
    'abortCalls',
    ...hanging.map((id) => `callUpstream ${id}`),
    'settleJob cancelled',
  ]);
});

test('a cancel aborts the calls that a completion waits for, and the job ends as cancelled', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.current.running.has('hangs-1'));
  await job.signal(complete, completion());

  await job.signal(cancel, cancellation('it hangs'));
  const result = await job.result();

  expect(result.status).toBe('cancelled');
  expect(jobs.current.log.slice(0, 2).sort()).toEqual(['abortCalls', 'callUpstream hangs-1']);
  expect(jobs.current.log.slice(2)).toEqual(['settleJob cancelled']);
});

test('a job whose workflow an operator cancels is cancelled', async () => {
  const job = await jobs.current.start();
  await job.signal(llmCall, call('hangs-1'));
  await until(() => jobs.current.running.has('hangs-1'));

  await job.cancel();

  expect((await job.result()).status).toBe('cancelled');
});
