import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { asRows } from '../../api/lists.ts';
import { useMay, useSession } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { NothingYet } from '../../components/empty.tsx';
import { EmptyList, FilterChips, FilterSelect } from '../../components/list/filter-controls.tsx';
import type { FilterSearch } from '../../components/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/list/list-actions.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchBox } from '../../components/list/search-box.tsx';
import { useList } from '../../components/list/use-list.ts';
import { PageFor } from '../../components/permission.tsx';
import { PeekTable } from '../../components/table/peek-table.tsx';
import { useOpenRow } from '../../components/table/use-open-row.ts';
import { CreateUser } from './create-user.tsx';
import { EditUser } from './edit-user.tsx';
import { mayManage } from './may-manage.ts';
import { userColumns } from './user-columns.tsx';
import { userFacts, userLinks } from './user-facts.tsx';
import { type UserFilter, userFilters } from './user-filters.ts';

const route = getRouteApi('/layout/users');
const path = '/api/admin-users';

export const UsersPage = () => (
  <PageFor needs="users:read" what="the accounts">
    <Users />
  </PageFor>
);

function Users() {
  const { q, role } = route.useSearch();
  const search = { q, role };
  const navigate = useNavigate({ from: '/users' });
  const { user: own, role: ownRole } = useSession();
  const mayWrite = useMay('users:write');
  const [isCreating, setCreating] = useState(false);
  const { toggle } = useOpenRow();
  const [edited, setEdited] = useState<AdminUser>();
  const query = () => ({ q, role });
  const list = useList({ path, key: search, query, rowsOf: asRows<AdminUser>, counts: true });
  const apply = (change: FilterSearch<UserFilter>, isContinued = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: isContinued });
  const filter = { filters: userFilters, search, onChange: apply };
  const columns = useMemo(
    () =>
      userColumns({ ownId: own?.user_id, mayEdit: (role) => mayWrite && mayManage(ownRole, role), onEdit: setEdited }),
    [own, ownRole, mayWrite],
  );

  return (
    <ListPage
      title="Users"
      filters={
        <>
          <SearchBox
            label="e-mail or name"
            value={q}
            onChange={(text, isContinued) => apply({ q: text }, isContinued)}
          />
          <FilterSelect name="role" {...filter} />
        </>
      }
      actions={
        <>
          {mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
              New account
            </Button>
          )}
          <ExportButton what="accounts" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
        </>
      }
      chips={<FilterChips {...filter} />}
    >
      <PeekTable
        id="users"
        label="Accounts"
        columns={columns}
        {...list.table}
        rowId={({ user_id }) => user_id}
        onOpen={(user) => {
          if (mayWrite && mayManage(ownRole, user.role)) setEdited(user);
          else toggle(user.user_id);
        }}
        noun="Account"
        factsOf={userFacts}
        linksOf={userLinks}
        empty={
          <EmptyList what="accounts" {...filter}>
            <NothingYet what="accounts" />
          </EmptyList>
        }
      />
      {isCreating && <CreateUser onClose={() => setCreating(false)} />}
      {edited && (
        <EditUser user={edited} isOwn={edited.user_id === own?.user_id} onClose={() => setEdited(undefined)} />
      )}
    </ListPage>
  );
}
