import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { webhookQuery } from '../../../api/webhooks.ts';
import { AuditLink } from '../../../components/audit/audit-link.tsx';
import { DetailPage, Loading } from '../../../components/ui/detail-page.tsx';
import { Facts } from '../../../components/ui/facts.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { PageProblem } from '../../../components/ui/page-problem.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { WebhookHolder } from '../../../components/webhooks/webhook-holder.tsx';
import { stateOf } from '../../../components/webhooks/webhook-state.ts';
import { useFollow } from '../../../live/use-figures.ts';
import { webhookFacts } from '../webhook-facts.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';

const route = getRouteApi('/layout/webhooks/$webhookId');

export const WebhookPage = () => (
  <PageFor needs="webhooks:read" what="webhooks">
    <WebhookDetail />
  </PageFor>
);

function WebhookDetail() {
  const { webhookId } = route.useParams();
  const isAdmin = useSession().kind === 'admin';
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId));
  useFollow('webhook');
  if (!webhook && error) {
    const page = { noun: 'webhook', id: webhookId, list: '/webhooks' } as const;
    return <PageProblem error={error} onRetry={() => void refetch()} {...page} />;
  }
  if (!webhook) return <Loading what="the webhook" />;
  return (
    <DetailPage
      kind={
        <>
          <Status of={stateOf(webhook)} />
          <span>
            Webhook
            {isAdmin && (
              <>
                {' of '}
                <WebhookHolder teamId={webhook.team_id} />
              </>
            )}
          </span>
        </>
      }
      title={webhook.webhook_url}
      id={
        <>
          <Id id={webhookId} whole /> <AuditLink kind="webhook" id={webhookId} />
        </>
      }
      actions={<WebhookActions webhook={webhook} />}
    >
      <Facts facts={webhookFacts(webhook)} />
      <WebhookDeliveries webhookId={webhookId} />
    </DetailPage>
  );
}
