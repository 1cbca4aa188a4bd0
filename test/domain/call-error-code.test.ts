import { callErrorCode, callErrorCodes } from '../../src/domain/call-error-code.ts';
import { callFailures } from '../../src/domain/call-failure.ts';
import { callError } from '../../src/domain/call-state.ts';

const failed = { status: 'failed', failure: null };

test.each([
  ['a success', { status: 'succeeded', error: null, failure: null }, null],
  ['a running call', { status: 'running', error: null, failure: null }, null],
  ['a refused call', { status: 'refused', error: 'completed', failure: null }, 'job_finished'],
  ['a retracted call', { status: 'retracted', error: null, failure: null }, 'unavailable'],
  ['a cancelled call', { status: 'failed', error: callError.cancelled, failure: 'error' }, 'cancelled'],
  ['a call that broke off', { ...failed, error: callError.interrupted }, 'interrupted'],
  ['a lost worker', { ...failed, error: callError.lost }, 'worker_lost'],
  ['a lost stream', { ...failed, error: callError.streamLost }, 'stream_lost'],
  ['a terminated workflow', { ...failed, error: callError.terminated }, 'workflow_terminated'],
  ['a call before failures were recorded', { ...failed, error: 'the upstream timed out' }, 'upstream_error'],
] as const)('the error code of %s is the one of its row (spec 4.21)', (_what, call, code) => {
  expect(callErrorCode(call)).toBe(code);
});

test('every failure of models and every error of ours has a code of its own (spec 4.21)', () => {
  const ofFailures = callFailures.map((failure) => callErrorCode({ status: 'failed', error: 'x', failure }));
  const ofErrors = Object.values(callError).map((error) => callErrorCode({ ...failed, error }));

  expect(new Set(ofFailures).size).toBe(callFailures.length);
  expect(new Set(ofErrors).size).toBe(ofErrors.length);
  expect([...ofFailures, ...ofErrors, 'job_finished'].toSorted()).toEqual([...callErrorCodes].toSorted());
});
