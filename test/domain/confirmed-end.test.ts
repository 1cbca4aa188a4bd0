import {
  type CommandedEnd,
  confirmedEnd,
  type EndInRecord,
  type EndOfJob,
  needsRecord,
} from '../../src/domain/confirmed-end.ts';
import { finalJobStatuses, jobDeadlineExceeded, jobEndedInTemporal, jobEnders } from '../../src/domain/job-state.ts';

const nothing: EndInRecord = {
  ended_by_call: false,
  for_task: false,
  is_idle: false,
  is_turn_over: null,
  is_answered: false,
  has_open_calls: false,
  is_past_cutoff: false,
};
const idleTask = { ...nothing, for_task: true, is_idle: true, is_answered: true };
const asked = (status: EndOfJob['status'], ended_by: EndOfJob['ended_by']): EndOfJob => ({
  status,
  ended_by,
  error_message: status === 'failed' ? 'the reason' : null,
});
const endedInTemporal = { status: 'failed', ended_by: 'operator', error_message: jobEndedInTemporal };

test('a completion that was commanded is one by the client, whatever its workflow gives as the cause', () => {
  for (const ender of [...jobEnders, null])
    expect(confirmedEnd(asked('completed', ender), { status: 'completed' })).toEqual(asked('completed', 'client'));
});

test.each<[string, CommandedEnd | undefined]>([
  ['no command', undefined],
  ['the command to fail', { status: 'failed' }],
  ["an admin's command to cancel", { status: 'cancelled', audit_entry: '{}' }],
])(
  'a completion with %s and without confirmation by the record fails as ended in Temporal, and is not audited',
  (_, commanded) => {
    for (const ender of [...jobEnders, null])
      if (ender !== 'idle')
        expect(confirmedEnd(asked('completed', ender), commanded, nothing)).toEqual(endedInTemporal);
  },
);

test.each<[string, Partial<EndInRecord>, EndOfJob | null | typeof endedInTemporal]>([
  ['of a job of a task that is idle after an answer is one', {}, asked('completed', 'idle')],
  ['of a job that is not idle yet waits', { is_idle: false }, null],
  ['of a job that is of no task is one in Temporal', { for_task: false }, endedInTemporal],
  ['of a job with an open call is one in Temporal', { has_open_calls: true }, endedInTemporal],
  [
    'of a job whose last call was not answered has timed out',
    { is_answered: false },
    { status: 'failed', ended_by: 'idle', error_message: 'Job timed out' },
  ],
])('a completion by the idle time %s', (_, record, expected) => {
  expect(confirmedEnd(asked('completed', 'idle'), undefined, { ...idleTask, ...record })).toEqual(expected);
});

test.each<[string, Partial<EndInRecord>, EndOfJob | null | typeof endedInTemporal]>([
  ['whose turn is over is one', {}, asked('completed', 'call')],
  ['whose turn is not over yet waits', { is_turn_over: false }, null],
  ['without a turn is one in Temporal', { is_turn_over: null }, endedInTemporal],
  ['with an open call is one in Temporal', { has_open_calls: true }, endedInTemporal],
  [
    'whose last call was not answered has timed out',
    { is_answered: false },
    { status: 'failed', ended_by: 'idle', error_message: 'Job timed out' },
  ],
])('a completion by the last call of a job %s (spec 27.3)', (_, record, expected) => {
  const turn = { ...nothing, is_turn_over: true, is_answered: true };

  expect(confirmedEnd(asked('completed', 'call'), undefined, { ...turn, ...record })).toEqual(expected);
});

test('a completion by a call is one if such a call has succeeded and none is open', () => {
  const record = { ...nothing, ended_by_call: true };

  expect(confirmedEnd(asked('completed', 'call'), undefined, record)).toEqual(asked('completed', 'call'));
  expect(confirmedEnd(asked('completed', 'call'), undefined, { ...record, has_open_calls: true })).toEqual(
    endedInTemporal,
  );
  for (const ender of ['client', 'admin', 'operator', 'service', null] as const)
    expect(confirmedEnd(asked('completed', ender), undefined, record)).toEqual(endedInTemporal);
});

test("an admin's cancel is audited and named as one; without its command it is an operator's", () => {
  const commanded = { status: 'cancelled', audit_entry: '{"user_id":"grace"}' } as const;

  expect(confirmedEnd(asked('cancelled', 'client'), commanded)).toEqual({
    ...asked('cancelled', 'admin'),
    audit_entry: commanded.audit_entry,
  });
  for (const ender of ['client', 'admin', 'operator'] as const)
    expect(confirmedEnd(asked('cancelled', ender), undefined)).toEqual(asked('cancelled', 'operator'));
});

test("a failure that nobody commanded is not its client's, and one by the service, a call or the idle time stays what it is", () => {
  expect(confirmedEnd(asked('failed', 'client'), undefined)).toEqual(endedInTemporal);
  expect(confirmedEnd(asked('failed', 'client'), { status: 'failed' })).toEqual(asked('failed', 'client'));
  for (const ender of ['call', 'idle', 'service', 'operator'] as const)
    expect(confirmedEnd(asked('failed', ender), undefined)).toEqual(asked('failed', ender));
});

test('an end by the deadline is one if the deadline in the record is over, and else one in Temporal (spec 3.19)', () => {
  const byDeadline = asked('failed', 'deadline');
  const past = { ...nothing, is_past_cutoff: true };

  expect(needsRecord(byDeadline, undefined)).toBe(true);
  expect(confirmedEnd(byDeadline, undefined, past)).toEqual({ ...byDeadline, error_message: jobDeadlineExceeded });
  expect(confirmedEnd(byDeadline, undefined, nothing)).toEqual(endedInTemporal);
  expect(confirmedEnd(byDeadline, undefined)).toEqual(endedInTemporal);
  expect(confirmedEnd(byDeadline, { status: 'failed' }, past)).toEqual(asked('failed', 'client'));
  expect(confirmedEnd(asked('completed', 'deadline'), undefined, past)).toEqual(endedInTemporal);
  expect(confirmedEnd(asked('cancelled', 'deadline'), undefined, past)).toEqual(asked('cancelled', 'operator'));
});

test('no end is completed, or audited, without a command for this status or the record', () => {
  for (const status of finalJobStatuses)
    for (const ender of [...jobEnders, null]) {
      const end = confirmedEnd({ ...asked(status, ender), audit_entry: '{"forged":true}' }, undefined, nothing);
      expect(end?.status).not.toBe('completed');
      expect(end?.audit_entry).toBeUndefined();
    }
});
