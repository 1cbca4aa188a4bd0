import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The events that Temporal Cloud bills. A timer is one too, and a change of search attributes. */
const billed = [
  'WORKFLOW_EXECUTION_STARTED',
  'WORKFLOW_EXECUTION_SIGNALED',
  'ACTIVITY_TASK_SCHEDULED',
  'TIMER_STARTED',
  'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
].map((type) => `EVENT_TYPE_${type}`);

test.each([
  ['a single-call job', 'create-and-call'],
  ['a job with 3 calls', 'calls-in-turn'],
  ['a webhook delivery at the first attempt', 'delivery-delivered'],
])('docs/temporal.md has the Actions of %s as its history has them', (row, history) => {
  const { events } = JSON.parse(read(`test/replay/histories/0.1.0/${history}.json`)) as {
    events: { eventType: string }[];
  };
  const actions = events.filter(({ eventType }) => billed.includes(eventType)).length;

  expect(read('docs/temporal.md')).toContain(`| ${row} | ${actions} |`);
});
