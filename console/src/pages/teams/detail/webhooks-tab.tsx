import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import type { Webhook, WebhookList } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { None, Section } from '../../../components/ui/detail-page.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { RegisterWebhook } from '../../../components/webhooks/register-webhook.tsx';
import { webhookColumns } from '../../../components/webhooks/webhook-columns.tsx';

const columns = webhookColumns(false);
const rowId = ({ webhook_id }: Pick<Webhook, 'webhook_id'>): string => webhook_id;

/** Shows the webhooks that receive the team's events. */
export function WebhooksTab({ teamId }: { teamId: string }) {
  const navigate = useNavigate();
  const mayWrite = useMay('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const list = useList(
    {
      path: '/api/webhooks',
      key: ['of', teamId],
      query: () => ({ team_id: teamId, order: 'failing' }),
      rowsOf: ({ webhooks }: WebhookList) => webhooks,
    },
    { rowId, isAbout: ({ webhooks }) => webhooks?.filter(({ team_id }) => team_id === teamId).map(rowId) },
  );
  return (
    <Section
      title="Webhooks"
      aside={
        <>
          <Link to="/webhooks" search={{ team: teamId }}>
            In the list of webhooks
          </Link>
          {mayWrite && (
            <Button icon={Plus} onClick={() => setCreating(true)}>
              New webhook
            </Button>
          )}
        </>
      }
    >
      <ChangedRows list={list} />
      <DataTable
        id="team-webhooks"
        label="Webhooks of the team"
        isFlat
        columns={columns}
        {...list.table}
        rowId={rowId}
        onOpen={({ webhook_id }) => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: webhook_id } })}
        empty={<None>The team has none: no system is notified when its jobs end.</None>}
      />
      {isCreating && <RegisterWebhook teamId={teamId} onClose={() => setCreating(false)} />}
    </Section>
  );
}
