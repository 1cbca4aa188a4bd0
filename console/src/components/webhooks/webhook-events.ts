import type { Webhook } from '../../api/types.ts';

/** `spec 11.5`, `spec 22`, `spec 26.6` */
export const webhookEvents: readonly Webhook['events'][number][] = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'job.budget_reached',
  'call.completed',
  'call.failed',
  'credits.threshold',
  'credits.exhausted',
];

/** The names of events as they are shown: without the `job.` of most. */
export const eventNames = (events: readonly string[]): string =>
  events.map((event) => event.replace('job.', '')).join(', ');
