import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import type { OrganizationInList, OrganizationList } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';
import { EmptyList, FilterChips, FilterSelect } from '../../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../../components/ui/list/list-page.tsx';
import { SearchBox } from '../../../components/ui/list/search-box.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { MonthSelect } from '../../../components/ui/month-select.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { ColumnMenu } from '../../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../../components/ui/table/peek-table.tsx';
import { thisMonth } from '../../../url/month.ts';
import { CreateOrganization } from './create-organization.tsx';
import { organizationColumns } from './organization-columns.tsx';
import { organizationFacts, organizationLinks } from './organization-facts.tsx';
import { type OrganizationFilter, organizationFilters } from './organization-filters.ts';

const route = getRouteApi('/layout/organizations');
const path = '/api/organizations';
const rowId = ({ organization_id }: OrganizationInList): string => organization_id;

export const OrganizationsPage = () => (
  <PageFor needs="organizations:read" what="organizations">
    <Organizations />
  </PageFor>
);

function Organizations() {
  const { q, state, month = thisMonth() } = route.useSearch();
  const search = { q, state };
  const navigate = useNavigate({ from: '/organizations' });
  const mayWrite = useMay('organizations:write');
  const [isCreating, setCreating] = useState(false);
  const query = () => ({ q, status: state, usage_period: month });
  const list = useList(
    { path, key: { ...search, month }, query, rowsOf: ({ organizations }: OrganizationList) => organizations },
    { rowId, isAbout: ({ jobs, calls, teams }) => (jobs || calls || teams ? 'all' : undefined), everyMs: 10_000 },
  );
  const apply = (change: FilterSearch<OrganizationFilter> & { month?: string }, isContinued = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: isContinued });
  const open = ({ organization_id }: OrganizationInList) =>
    void navigate({
      to: '/organizations/$organizationId',
      params: { organizationId: organization_id },
      search: { month },
    });
  const filter = { filters: organizationFilters, search, onChange: apply };
  const create = mayWrite && (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      New organization
    </Button>
  );

  return (
    <ListPage
      title="Organizations"
      filters={
        <>
          <SearchBox label="id or name" value={q} onChange={(text, isContinued) => apply({ q: text }, isContinued)} />
          <FilterSelect name="state" {...filter} />
          <MonthSelect value={month} onChange={(next) => apply({ month: next })} />
        </>
      }
      actions={
        <>
          {create}
          <ExportButton what="organizations" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="organizations" columns={organizationColumns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
      totals={
        <p className="muted">
          Jobs, tokens and cost of the month by the UTC day of the job’s creation, credits by that of the ledger row.
        </p>
      }
    >
      <PeekTable
        id="organizations"
        label="Organizations"
        columns={organizationColumns}
        {...list.table}
        rowId={rowId}
        onOpen={open}
        noun="Organization"
        factsOf={organizationFacts}
        linksOf={(row) => organizationLinks(row, month)}
        empty={
          <EmptyList what="organizations" {...filter}>
            <NothingYet what="organizations">
              <p className="muted">Every team belongs to one.</p>
              {create}
            </NothingYet>
          </EmptyList>
        }
      />
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} />}
    </ListPage>
  );
}
