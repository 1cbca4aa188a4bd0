import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Deliveries, DeliveryOfTeam } from '../../../api/types.ts';
import { None, Section } from '../../../components/ui/detail-page.tsx';
import { FilterChips, FilterSelect } from '../../../components/ui/list/filter-controls.tsx';
import { ExportButton, RefreshButton } from '../../../components/ui/list/list-actions.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { Totals } from '../../../components/ui/list/totals.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { useDebounced } from '../../../components/ui/use-debounced.ts';
import { DeliveryPanel } from '../../../components/webhooks/delivery-panel.tsx';
import { formatNumber } from '../../../format/number.ts';
import { useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { toMoments } from '../../../url/time-range.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveryFilters } from './delivery-filters.ts';

const ResendMatching = lazy(() =>
  import('./resend-matching.tsx').then(({ ResendMatching }) => ({ default: ResendMatching })),
);

const route = getRouteApi('/layout/webhooks/$webhookId');
const path = '/api/deliveries';

/** What was sent to a webhook in the time range, newest first. */
export function WebhookDeliveries({ webhookId }: { webhookId: string }) {
  const { range, from, to, state, delivery } = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/$webhookId' });
  const query = () => ({ ...toMoments({ range, from, to }), webhook_id: webhookId, status: state });
  const list = useList(
    {
      path,
      key: { webhookId, state, range, from, to },
      query,
      rowsOf: ({ deliveries }: Deliveries) => deliveries,
      counts: true,
    },
    {
      rowId: idOf,
      isAbout: ({ webhooks = [] }) => (webhooks.some(({ webhook_id }) => webhook_id === webhookId) ? 'all' : undefined),
    },
  );
  const debounced = useDebounced(delivery);
  const apply = (change: { state?: string }) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const show = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, delivery: id }), replace: true });
  const open = ({ delivery_id }: DeliveryOfTeam) => show(delivery === delivery_id ? undefined : delivery_id);
  useShortcuts({ Escape: () => show(undefined) }, { isActive: delivery !== undefined });
  const filter = { filters: deliveryFilters, search: { state }, onChange: apply };
  const counts = list.first?.whole.by_status;
  const shown = (value: number | undefined) => (value === undefined ? '…' : formatNumber(value));

  return (
    <Section
      title="Deliveries"
      aside={
        <>
          <FilterSelect name="state" {...filter} />
          {(state === 'exhausted' || state === 'pending') && (
            <Suspense>
              <ResendMatching filter={{ ...query(), status: state }} total={list.table.total} />
            </Suspense>
          )}
          <ExportButton what="deliveries" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
        </>
      }
    >
      <Totals
        totals={[
          ['Delivered', shown(counts?.delivered)],
          ['Pending', shown(counts?.pending)],
          ['Exhausted', shown(counts?.exhausted)],
        ]}
      />
      <FilterChips {...filter} />
      <ChangedRows list={list} />
      {delivery && debounced && <DeliveryPanel deliveryId={debounced} onClose={() => show(undefined)} />}
      <DataTable
        id="deliveries"
        label="Deliveries"
        isFlat
        isMain
        columns={deliveryColumns}
        {...list.table}
        rowId={idOf}
        openId={delivery}
        onPeek={open}
        empty={
          <None>{state ? 'None in this time range is in this state.' : 'Nothing was sent in this time range.'}</None>
        }
      />
    </Section>
  );
}

const idOf = ({ delivery_id }: DeliveryOfTeam): string => delivery_id;
