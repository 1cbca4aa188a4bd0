import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useMay, useSession } from '../../../api/session.ts';
import type { Changes, Webhook, WebhookList } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';
import { AddFilter, EmptyList, FilterChips } from '../../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../../components/ui/list/list-actions.tsx';
import { ListPage } from '../../../components/ui/list/list-page.tsx';
import { Totals } from '../../../components/ui/list/totals.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { PageFor } from '../../../components/ui/permission.tsx';
import { ColumnMenu } from '../../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../../components/ui/table/peek-table.tsx';
import { RegisterWebhook } from '../../../components/webhooks/register-webhook.tsx';
import { webhookColumns } from '../../../components/webhooks/webhook-columns.tsx';
import { formatNumber } from '../../../format/number.ts';
import { useChanges } from '../../../live/live.ts';
import { webhookLinks, webhookRowFacts } from '../webhook-facts.tsx';
import { type WebhookFilter, webhookFilters } from './webhook-filters.ts';

const route = getRouteApi('/layout/webhooks');
const path = '/api/webhooks';

export const WebhooksPage = () => (
  <PageFor needs="webhooks:read" what="webhooks">
    <Webhooks />
  </PageFor>
);

function Webhooks() {
  const { kind, team: own } = useSession();
  const isAdmin = kind === 'admin';
  const { team } = route.useSearch();
  const search = { team };
  const navigate = useNavigate({ from: '/webhooks' });
  const mayWrite = useMay('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => webhookColumns(isAdmin), [isAdmin]);
  const query = () => ({ team_id: team, order: 'failing' });
  const list = useList({ path, key: search, query, rowsOf: ({ webhooks }: WebhookList) => webhooks });
  const hasChanged = useHasChanged();
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
              ['In all', shown(whole?.total)],
            ]}
          />
          {isAdmin && <AddFilter {...filter} />}
        </>
      }
      actions={
        <>
          {hasChanged.value && (
            <Button
              onClick={() => {
                hasChanged.reset();
                list.refresh();
              }}
            >
              Show what has changed
            </Button>
          )}
          {create}
          <ExportButton what="webhooks" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="webhooks" columns={columns} />
        </>
      }
      chips={<FilterChips {...filter} />}
    >
      <PeekTable
        id="webhooks"
        label="Webhooks, failing ones first"
        columns={columns}
        {...list.table}
        rowId={({ webhook_id }) => webhook_id}
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
      {isCreating && <RegisterWebhook teamId={own?.team_id ?? team} onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

/** Whether an event has named a webhook that has changed. The rows stay where they are until the reader wants them read. */
function useHasChanged() {
  const [value, setValue] = useState(false);
  const onChanges = useCallback(({ webhooks = [] }: Changes) => {
    if (webhooks.length > 0) setValue(true);
  }, []);
  const onResync = useCallback(() => undefined, []);
  useChanges(onChanges, onResync);
  return { value, reset: () => setValue(false) };
}
