import { callStatuses, callStatusesBefore, openCallStatuses } from '../../src/domain/call-state.ts';

test('a call is open while an attempt may write its result, which is while it is queued or running', () => {
  expect(openCallStatuses).toEqual(['queued', 'running']);
});

test.each([
  ['running', ['queued', 'running']],
  ['queued', []],
  ['succeeded', ['queued', 'running']],
  ['failed', ['queued', 'running']],
  ['refused', ['queued', 'running']],
] as const)('a call becomes %s from %j only', (status, before) => {
  expect(callStatusesBefore(status)).toEqual(before);
});

test('a call with a result changes to no other status', () => {
  const results = ['succeeded', 'failed', 'refused'];
  const following = callStatuses.filter((status) => callStatusesBefore(status).some((one) => results.includes(one)));

  expect(following).toEqual([]);
});
