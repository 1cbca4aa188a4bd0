import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMay, useSession } from '../../../api/session.ts';
import type { Webhook, WebhookList } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';
import { AddFilter, EmptyList, FilterChips } from '../../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../../components/ui/list/list-page.tsx';
import { Totals } from '../../../components/ui/list/totals.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { PageFor } from '../../../components/ui/permission.tsx';
import { ColumnMenu } from '../../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../../components/ui/table/peek-table.tsx';
import { RegisterWebhook } from '../../../components/webhooks/register-webhook.tsx';
import { webhookColumns } from '../../../components/webhooks/webhook-columns.tsx';
import { formatNumber } from '../../../format/number.ts';
import { webhookLinks, webhookRowFacts } from '../webhook-facts.tsx';
import { type WebhookFilter, webhookFilters } from './webhook-filters.ts';

const route = getRouteApi('/layout/webhooks');
const path = '/api/webhooks';
const rowId = ({ webhook_id }: Pick<Webhook, 'webhook_id'>): string => webhook_id;

export const WebhooksPage = () => (
  <PageFor needs="webhooks:read" what="webhooks">
    <Webhooks />
  </PageFor>
);

function Webhooks() {
  const { kind, team: own } = useSession();
  const isAdmin = kind === 'admin';
  const { team, scope } = route.useSearch();
  const search = { team, scope };
  const navigate = useNavigate({ from: '/webhooks' });
  const mayWrite = useMay('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => webhookColumns(isAdmin), [isAdmin]);
  const query = () => ({ team_id: team, scope, order: 'failing' });
  const list = useList(
    { path, key: search, query, rowsOf: ({ webhooks }: WebhookList) => webhooks },
    { rowId, isAbout: ({ webhooks }) => webhooks?.map(rowId) },
  );
  const apply = (change: FilterSearch<WebhookFilter>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const open = ({ webhook_id }: Webhook) =>
    void navigate({ to: '/webhooks/$webhookId', params: { webhookId: webhook_id } });
  const filter = { filters: webhookFilters, search, onChange: apply };
  const create = mayWrite && (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      New webhook
    </Button>
  );
  const shown = (value: number | undefined) => (value === undefined ? '…' : formatNumber(value));
  const whole = list.first?.whole;

  return (
    <ListPage
      title="Webhooks"
      filters={
        <>
          <Totals
            totals={[
              ['Failing', shown(whole?.failing)],
              ['Switched off', shown(whole?.inactive)],
              ['Total', shown(whole?.total)],
            ]}
          />
          {isAdmin && <AddFilter {...filter} />}
        </>
      }
      actions={
        <>
          {create}
          <ExportButton what="webhooks" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="webhooks" columns={columns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
    >
      <PeekTable
        id="webhooks"
        label="Webhooks, failing ones first"
        columns={columns}
        {...list.table}
        rowId={rowId}
        onOpen={open}
        noun="Webhook"
        factsOf={webhookRowFacts}
        linksOf={webhookLinks}
        empty={
          <EmptyList what="webhooks" {...filter}>
            <NothingYet what="webhooks">
              <p className="muted">A webhook is sent an event when a job begins, ends or fails.</p>
              {create}
            </NothingYet>
          </EmptyList>
        }
      />
      {isCreating && (
        <RegisterWebhook
          teamId={own?.team_id ?? team}
          ofInstallation={scope === 'platform'}
          onClose={() => setCreating(false)}
        />
      )}
    </ListPage>
  );
}
