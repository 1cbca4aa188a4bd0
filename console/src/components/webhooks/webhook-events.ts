import type { Webhook } from '../../api/types.ts';

type WebhookEvent = Webhook['events'][number];

/** `spec 11.5`, `spec 22`, `spec 26.6` */
const teamEvents: readonly WebhookEvent[] = [
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

/** `spec 11.17` */
export const attentionEvents: readonly WebhookEvent[] = ['attention.opened', 'attention.closed'];

/** What the webhooks of a team can be sent, or those of the installation (null). */
export const eventsOf = (teamId: string | null): readonly WebhookEvent[] =>
  teamId === null ? attentionEvents : teamEvents;

/** The names of events as they are shown: without the `job.` of most. */
export const eventNames = (events: readonly string[]): string =>
  events.map((event) => event.replace('job.', '')).join(', ');
