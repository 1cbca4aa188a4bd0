import type { Webhook } from '../../api/types.ts';

/** Every event of a job: `spec 11.5`. */
export const webhookEvents: readonly Webhook['events'][number][] = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
];

/** The names of events as they are shown: without `job.`, with which all of them begin. */
export const eventNames = (events: readonly string[]): string =>
  events.map((event) => event.replace('job.', '')).join(', ');
