import { randomUUID } from 'node:crypto';
import type { OpenJob } from '../../src/db/jobs/find-open-job.ts';
import { jobTerminated } from '../../src/domain/job-state.ts';
import { type LostState, resumedJobWorkflow } from '../../src/temporal/commands/job-workflow.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const createdAt = new Date('2026-11-20T12:00:00Z');
const lastActivityAt = new Date('2026-11-24T12:00:00Z');

const someJob: OpenJob = {
  job_id: randomUUID(),
  team_id: 'team-1',
  organization_id: 'org-1',
  user_id: null,
  job_type: 'report',
  external_task_id: null,
  metadata: { kept: true },
  key_id: null,
  status: 'pending',
  model_groups_used: [],
  created_at: createdAt,
  started_at: null,
  updated_at: createdAt,
  single_call: false,
  for_task: false,
  last_activity_at: lastActivityAt,
  open_calls: [],
  single_call_end: null,
  ended_by_call: false,
  is_answered: false,
  turn_seconds: null,
};
const openCall = {
  call_id: 'a',
  model_group_used: 'fast',
  purpose: null,
  end_job: null,
  turn_seconds: null,
  is_single_call: false,
};

const resumed = (job: Partial<OpenJob>, lost: LostState) =>
  resumedJobWorkflow({ ...someJob, ...job }, lost, {
    taskQueue: 'queue',
    idle: { jobMs: 60_000, taskJobMs: 30_000 },
    version: 1,
    now,
  });
const stateOf = (job: Partial<OpenJob>, lost: LostState) => resumed(job, lost).args[0].state;

const terminated = { status: 'failed', error_message: jobTerminated, cancel_reason: null };
const succeeded = { status: 'completed', error_message: null, cancel_reason: null };
const failed = { status: 'failed', error_message: 'the model is unavailable', cancel_reason: null };

test.each<[string, LostState, OpenJob['single_call_end'], object | null]>([
  ['no ended single call', 'absent', null, null],
  ['no ended single call', 'completed', null, null],
  ['no ended single call', 'terminated', null, terminated],
  ['a successful single call', 'absent', { error: null }, succeeded],
  ['a successful single call', 'terminated', { error: null }, succeeded],
  ['a failed single call', 'absent', { error: 'the model is unavailable' }, failed],
  ['a failed single call', 'terminated', { error: 'the model is unavailable' }, failed],
])(
  'a job with %s whose workflow is %s ends as the record of the call %j decides',
  (_, lost, single_call_end, ending) => {
    const state = stateOf({ single_call_end }, lost);

    expect(state).toMatchObject({ ending, last_activity_at: lastActivityAt.getTime() });
  },
);

test.each<LostState>(['absent', 'terminated', 'completed'])(
  'a job that was ended by its call, and whose workflow is %s, is completed',
  (lost) => {
    expect(stateOf({ ended_by_call: true }, lost)).toMatchObject({ ending: succeeded });
  },
);

test('a job without a workflow has the seconds of its turn and of its open calls (spec 27.3)', () => {
  const state = stateOf(
    { turn_seconds: 5, is_answered: true, open_calls: [{ ...openCall, turn_seconds: 7 }] },
    'absent',
  );

  expect(state).toMatchObject({ ending: null, turn_seconds: 5, deferred_calls: [{ call_id: 'a', turn_seconds: 7 }] });
});

test.each<[string, Partial<OpenJob>, object]>([
  ['at the end of its turn is completed', { is_answered: true }, succeeded],
  ['in the middle of its turn fails', { is_answered: false }, terminated],
  ['in the middle of a call fails', { is_answered: true, open_calls: [openCall] }, terminated],
])('a job that was terminated %s (spec 27.3)', (_, job, ending) => {
  expect(stateOf({ turn_seconds: 5, ...job }, 'terminated')).toMatchObject({ ending });
});

test('the state of a resumed job has whether its last call was answered', () => {
  expect([true, false].map((is_answered) => stateOf({ is_answered }, 'absent').is_answered)).toEqual([true, false]);
});

test('a job without a workflow makes its open calls again, and is in progress with their model groups', () => {
  const single = { ...openCall, call_id: 'b', model_group_used: null, is_single_call: true };

  const state = stateOf({ open_calls: [{ ...openCall, purpose: 'summary' }, single], single_call: true }, 'absent');

  expect(state.deferred_calls).toEqual([
    { call_id: 'a', model_group: 'fast', purpose: 'summary' },
    { call_id: 'b', model_group: null, opens_job: true },
  ]);
  expect(state.view).toMatchObject({ status: 'in_progress', started_at: now, model_groups_used: ['fast'] });
  expect(state.terminated_calls).toBeUndefined();
});

test('a job whose workflow was terminated ends its open calls', () => {
  const state = stateOf({ open_calls: [openCall] }, 'terminated');

  expect(state).toMatchObject({ deferred_calls: [], terminated_calls: ['a'], view: { status: 'pending' } });
  // A repeated signal of the call is ignored.
  expect(state.recent_call_ids).toEqual(['a']);
});

test.each<[LostState, string]>([
  ['absent', 'REJECT_DUPLICATE'],
  ['terminated', 'ALLOW_DUPLICATE_FAILED_ONLY'],
  ['completed', 'ALLOW_DUPLICATE'],
])(
  'the workflow that replaces one that is %s is started with the policy %s, so that an ended job is not started again',
  (lost, policy) => {
    expect(resumed({}, lost).workflowIdReusePolicy).toBe(policy);
  },
);
