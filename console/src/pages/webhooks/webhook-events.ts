import type { Webhook } from '../../api/types.ts';

/** Every event of a job: `spec 11.5`. */
export const webhookEvents: readonly Webhook['events'][number][] = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
];
