import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../api/types.ts';
import { TeamLink } from '../../components/teams/team-link.tsx';
import type { FactList } from '../../components/ui/facts.tsx';
import { Missing } from '../../components/ui/money.tsx';
import { Status } from '../../components/ui/status.tsx';
import { Time } from '../../components/ui/time.tsx';
import { eventNames } from '../../components/webhooks/webhook-events.ts';
import { stateOf } from '../../components/webhooks/webhook-state.ts';

/** What is known of a webhook, beside its list and on its page. */
export const webhookFacts = (webhook: Webhook): FactList => [
  ['Events', eventNames(webhook.events)],
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

/** The facts of a webhook beside the list, where no heading names it. */
export const webhookRowFacts = (webhook: Webhook): FactList => [
  ['Status', <Status key="status" of={stateOf(webhook)} />],
  ['Receiver', webhook.webhook_url],
  ['Team', webhook.team_id === null ? 'the installation' : <TeamLink key="team" id={webhook.team_id} />],
  ...webhookFacts(webhook),
];

export const webhookLinks = ({ webhook_id }: Webhook) => (
  <Link to="/webhooks/$webhookId" params={{ webhookId: webhook_id }}>
    Open the webhook and its deliveries
  </Link>
);
