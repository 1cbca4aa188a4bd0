import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../api/types.ts';
import type { FactList } from '../../components/facts.tsx';
import { Missing } from '../../components/money.tsx';
import { TeamLink } from '../../components/owner-links.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { eventsOf } from './event-names.ts';
import { stateOf } from './webhook-state.ts';

/** What is known of a webhook, beside its list and on its page. */
export const webhookFacts = (webhook: Webhook): FactList => [
  ['Events', eventsOf(webhook.events)],
  ['Failing since', webhook.failing_since && <Time key="since" at={webhook.failing_since} />],
  [
    'Last answer',
    webhook.last_status_code ?? (
      <Missing key="none" why={webhook.last_triggered_at ? 'no answer' : 'nothing was sent yet'} />
    ),
  ],
  ['Last attempt', <Time key="last" at={webhook.last_triggered_at} missing="none yet" />],
  ['Authorization header', webhook.auth_header ? 'set, not shown' : 'none'],
  ['Registered', <Time key="created" at={webhook.created_at} />],
];

/** Beside the list, where the page has no heading of it. */
export const webhookRowFacts = (webhook: Webhook): FactList => [
  ['Status', <Status key="status" of={stateOf(webhook)} />],
  ['Receiver', webhook.webhook_url],
  ['Team', <TeamLink key="team" id={webhook.team_id} />],
  ...webhookFacts(webhook),
];

export const webhookLinks = ({ webhook_id }: Webhook) => (
  <Link to="/webhooks/$webhookId" params={{ webhookId: webhook_id }}>
    Open the webhook and its deliveries
  </Link>
);
