import { type ChangeSet, GatheredChanges, selectChanges } from '../../src/domain/changes.ts';

type Job = NonNullable<ChangeSet['jobs']>[number];

const job = (status: Job['status'], job_id = 'job', team_id = 'team'): Job => ({ job_id, team_id, status });

test('of several changes of one thing the latest is taken, and no change is taken twice', () => {
  const gathered = new GatheredChanges();
  gathered.add('jobs', job('pending'));
  gathered.add('jobs', job('in_progress'));
  gathered.add('jobs', job('pending', 'other'));
  gathered.add('teams', { team_id: 'team' });
  gathered.add('teams', { team_id: 'team' });

  expect(gathered.size).toBe(3);
  expect(gathered.take()).toEqual({
    jobs: [job('in_progress'), job('pending', 'other')],
    teams: [{ team_id: 'team' }],
  });
  expect(gathered.take()).toEqual({});
});

test.each<[Job['status'], Job['status'], Job['status']]>([
  ['completed', 'in_progress', 'completed'],
  ['in_progress', 'pending', 'in_progress'],
  ['pending', 'cancelled', 'cancelled'],
])('a job that is %s and then %s is taken as %s', (first, second, taken) => {
  const gathered = new GatheredChanges();
  gathered.add('jobs', job(first));
  gathered.add('jobs', job(second));

  expect(gathered.take().jobs).toEqual([job(taken)]);
});

test('an earlier state that comes after the later one was taken is dropped', () => {
  const gathered = new GatheredChanges();
  gathered.add('jobs', job('completed'));
  gathered.take();
  gathered.addAll({ jobs: [job('in_progress'), job('in_progress', 'other')] });

  expect(gathered.take()).toEqual({ jobs: [job('in_progress', 'other')] });
});

test('a call that is queued again is taken as queued when the last taking did not contain it', () => {
  const gathered = new GatheredChanges();
  const call = (status: 'queued' | 'running') => ({ call_id: 'call', job_id: 'job', team_id: 'team', status });
  gathered.add('calls', call('running'));
  gathered.take();
  gathered.take();
  gathered.add('calls', call('queued'));

  expect(gathered.take()).toEqual({ calls: [call('queued')] });
});

test('changes are selected by kind and team, and an empty selection is undefined', () => {
  const changes: ChangeSet = {
    jobs: [job('pending'), job('pending', 'theirs', 'other')],
    teams: [{ team_id: 'other' }],
  };

  expect(selectChanges(changes, ['jobs', 'teams'], undefined)).toEqual(changes);
  expect(selectChanges(changes, ['jobs', 'teams'], 'team')).toEqual({ jobs: [job('pending')] });
  expect(selectChanges(changes, ['teams'], 'team')).toBeUndefined();
  expect(selectChanges({}, ['jobs'], undefined)).toBeUndefined();
});
