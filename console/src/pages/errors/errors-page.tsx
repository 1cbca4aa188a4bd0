import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { errorsPath, errorsQuery } from '../../api/errors.ts';
import { useSession } from '../../api/session.ts';
import type { FailedCalls } from '../../api/types.ts';
import { toCauseQuery } from '../../components/errors/error-filters.ts';
import { ErrorGroups } from '../../components/errors/error-groups.tsx';
import { NothingYet } from '../../components/ui/empty.tsx';
import { AddFilter, EmptyList, FilterChips, FilterSelect } from '../../components/ui/list/filter-controls.tsx';
import type { SearchOf } from '../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../components/ui/list/list-page.tsx';
import { Totals } from '../../components/ui/list/totals.tsx';
import { useList } from '../../components/ui/list/use-list.ts';
import { PageFor } from '../../components/ui/permission.tsx';
import { ColumnMenu } from '../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../components/ui/table/peek-table.tsx';
import { formatNumber } from '../../format/number.ts';
import { useFollow } from '../../live/use-figures.ts';
import { toMoments } from '../../url/time-range.ts';
import { callColumns, callFacts, callLinks } from './call-columns.tsx';
import { callFilters } from './call-filters.ts';
import styles from './errors.module.css';

const route = getRouteApi('/layout/errors');
const path = `${errorsPath}/calls`;

export const ErrorsPage = () => (
  <PageFor needs="usage:read" what="errors">
    <ErrorList />
  </PageFor>
);

/** What failed: in groups, and call by call. */
function ErrorList() {
  const {
    range,
    from,
    to,
    open: _,
    ...search
  } = route.useSearch() as ReturnType<typeof route.useSearch> & {
    open?: string;
  };
  const isAdmin = useSession().kind === 'admin';
  const navigate = useNavigate({ from: '/errors' });
  const columns = useMemo(() => callColumns(isAdmin), [isAdmin]);
  const selection = { ...toCauseQuery(search), team_id: search.team, organization_id: search.organization };
  const groups = useQuery(errorsQuery({ range, from, to }, selection));
  useFollow('usage');
  const query = () => ({ ...selection, ...toMoments({ range, from, to }) });
  const list = useList(
    {
      path,
      key: { ...search, range, from, to },
      query,
      rowsOf: ({ calls }: FailedCalls) => calls,
      counts: true,
    },
    { rowId: ({ call_id }) => call_id, isAbout: ({ jobs }) => (jobs ? 'all' : undefined) },
  );
  const apply = (change: SearchOf<typeof callFilters>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = { filters: callFilters, search, onChange: apply };
  const { team, organization } = search;
  const first = list.first?.whole;
  const shown = (value: number | null | undefined) => (typeof value === 'number' ? formatNumber(value) : '…');

  return (
    <ListPage
      title="Errors"
      chart={
        groups.data && (
          <div className={styles.groups}>
            <ErrorGroups errors={groups.data} filters={{ team, organization }} />
          </div>
        )
      }
      filters={
        <>
          <FilterSelect name="errorKind" {...filter} />
          <AddFilter {...filter} />
        </>
      }
      actions={
        <>
          <ExportButton what="calls" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="failed-calls" columns={columns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
      totals={
        <Totals
          totals={[
            [isAdmin ? 'Calls with an error' : 'Failed calls', shown(first?.total)],
            [
              'Jobs',
              <Link key="jobs" to="/jobs" search={{ range, from, to, ...search }}>
                {shown(first?.jobs)}
              </Link>,
            ],
          ]}
        />
      }
    >
      <PeekTable
        id="failed-calls"
        label="Calls with an error"
        columns={columns}
        {...list.table}
        rowId={({ call_id }) => call_id}
        onOpen={({ job_id, call_id }) =>
          void navigate({ to: '/jobs/$jobId', params: { jobId: job_id }, search: { item: call_id } })
        }
        noun="Call"
        factsOf={callFacts}
        linksOf={callLinks}
        empty={
          <EmptyList what="errors" {...filter}>
            <NothingYet what="errors in this time range">
              <p className="muted">A longer range may have some.</p>
            </NothingYet>
          </EmptyList>
        }
      />
    </ListPage>
  );
}
