import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../../api/session.ts';
import type { Ledger } from '../../api/types.ts';
import { transactionColumns } from '../../components/ledger/transaction-columns.tsx';
import { NothingYet } from '../../components/ui/empty.tsx';
import { AddFilter, EmptyList, FilterChips, FilterSelect } from '../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../components/ui/list/list-page.tsx';
import { Totals } from '../../components/ui/list/totals.tsx';
import { useList } from '../../components/ui/list/use-list.ts';
import { PageFor } from '../../components/ui/permission.tsx';
import { ColumnMenu } from '../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../components/ui/table/peek-table.tsx';
import { useOpenRow } from '../../components/ui/table/use-open-row.ts';
import { formatNumber } from '../../format/number.ts';
import { toMoments } from '../../url/time-range.ts';
import { LedgerCheckNote } from './ledger-check.tsx';
import { LedgerClock } from './ledger-clock.tsx';
import { type LedgerFilter, ledgerFilters, ledgerFiltersOfTeam } from './ledger-filters.ts';
import { transactionFacts, transactionLinks } from './transaction-facts.tsx';

const route = getRouteApi('/layout/ledger');
const path = '/api/transactions';

export const LedgerPage = () => (
  <PageFor needs="ledger:read" what="the ledger">
    <LedgerList />
  </PageFor>
);

function LedgerList() {
  const { range, from, to, type, job, team, organization } = route.useSearch();
  const search = { type, job, team, organization };
  const isAdmin = useSession().kind === 'admin';
  const navigate = useNavigate({ from: '/ledger' });
  const { toggle } = useOpenRow();
  const columns = useMemo(() => transactionColumns(isAdmin), [isAdmin]);
  const query = () => ({
    ...toMoments({ range, from, to }),
    transaction_type: type,
    job_id: job,
    team_id: team,
    organization_id: organization,
  });
  const list = useList(
    {
      path,
      key: { ...search, range, from, to },
      query,
      rowsOf: ({ transactions }: Ledger) => transactions,
      counts: true,
    },
    { rowId: ({ transaction_id }) => transaction_id, isAbout: ({ teams }) => (teams ? 'all' : undefined) },
  );
  const apply = (change: FilterSearch<LedgerFilter>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = { filters: isAdmin ? ledgerFilters : ledgerFiltersOfTeam, search, onChange: apply };

  return (
    <ListPage
      title="Ledger"
      filters={
        <>
          <FilterSelect name="type" {...filter} />
          <AddFilter {...filter} />
          {isAdmin && <LedgerCheckNote />}
        </>
      }
      actions={
        <>
          <ExportButton what="transactions" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="ledger" columns={columns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
      totals={
        <>
          <Totals totals={toTotals(list.first?.whole)} />
          <LedgerClock />
        </>
      }
    >
      <PeekTable
        id="ledger"
        label="Ledger"
        columns={columns}
        {...list.table}
        rowId={({ transaction_id }) => transaction_id}
        onOpen={({ job_id, transaction_id }) => {
          if (job_id) void navigate({ to: '/jobs/$jobId', params: { jobId: job_id } });
          else toggle(transaction_id);
        }}
        noun="Ledger row"
        factsOf={transactionFacts}
        linksOf={(row) => transactionLinks(row, isAdmin)}
        empty={
          <EmptyList what="ledger rows" {...filter}>
            <NothingYet what="ledger rows in this time range">
              <p className="muted">A longer range may have some. Jobs, allocations and refunds make them.</p>
            </NothingYet>
          </EmptyList>
        }
      />
    </ListPage>
  );
}

const toTotals = (ledger: Ledger | undefined) => {
  const sums = ledger?.sum_credits;
  const shown = (value: number | null | undefined) => (typeof value === 'number' ? formatNumber(value) : '…');
  return [
    ['Rows', shown(ledger?.total)],
    ['Deducted', shown(sums?.deduction)],
    ['Refunded', shown(sums?.refund)],
    ['Allocated', shown(sums?.allocation)],
    ['Adjusted', shown(sums?.adjustment)],
  ] as const;
};
