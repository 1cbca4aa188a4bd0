import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import type { Team, TeamList } from '../../../api/types.ts';
import { CreateTeam } from '../../../components/teams/create-team.tsx';
import { teamColumns } from '../../../components/teams/team-columns.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { NothingYet } from '../../../components/ui/empty.tsx';
import { AddFilter, EmptyList, FilterChips, FilterSelect } from '../../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../../components/ui/list/list-page.tsx';
import { SearchBox } from '../../../components/ui/list/search-box.tsx';
import { useList } from '../../../components/ui/list/use-list.ts';
import { PageFor } from '../../../components/ui/permission.tsx';
import { ColumnMenu } from '../../../components/ui/table/column-menu.tsx';
import { PeekTable } from '../../../components/ui/table/peek-table.tsx';
import { teamFacts, teamLinks } from './team-facts.tsx';
import { type TeamFilter, teamFilters } from './team-filters.ts';

const route = getRouteApi('/layout/teams');
const path = '/api/teams';
const rowId = ({ team_id }: Team): string => team_id;

export const TeamsPage = () => (
  <PageFor needs="teams:read" what="teams">
    <Teams />
  </PageFor>
);

function Teams() {
  const { q, state, organization } = route.useSearch();
  const search = { q, state, organization };
  const navigate = useNavigate({ from: '/teams' });
  const mayWrite = useMay('teams:write');
  const [isCreating, setCreating] = useState(false);
  const query = () => ({ q, status: state, organization_id: organization });
  const list = useList(
    { path, key: search, query, rowsOf: ({ teams }: TeamList) => teams },
    { rowId, isAbout: ({ teams }) => teams?.map(({ team_id }) => team_id) },
  );
  const apply = (change: FilterSearch<TeamFilter>, isContinued = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: isContinued });
  const open = ({ team_id }: Team) => void navigate({ to: '/teams/$teamId', params: { teamId: team_id } });
  const filter = { filters: teamFilters, search, onChange: apply };

  return (
    <ListPage
      title="Teams"
      filters={
        <>
          <SearchBox label="id or name" value={q} onChange={(text, isContinued) => apply({ q: text }, isContinued)} />
          <FilterSelect name="state" {...filter} />
          <AddFilter {...filter} />
        </>
      }
      actions={
        <>
          {mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
              New team
            </Button>
          )}
          <ExportButton what="teams" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
          <ColumnMenu tableId="teams" columns={teamColumns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
    >
      <PeekTable
        id="teams"
        label="Teams"
        columns={teamColumns}
        {...list.table}
        rowId={rowId}
        onOpen={open}
        noun="Team"
        factsOf={teamFacts}
        linksOf={teamLinks}
        empty={
          <EmptyList what="teams" {...filter}>
            <NothingYet what="teams">
              <p className="muted">A team has credits and a key with which it makes jobs.</p>
              {mayWrite && (
                <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
                  New team
                </Button>
              )}
            </NothingYet>
          </EmptyList>
        }
      />
      {isCreating && <CreateTeam organization={organization} onClose={() => setCreating(false)} />}
    </ListPage>
  );
}
