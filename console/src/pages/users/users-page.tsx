import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, UserPlus } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { invitationsQuery } from '../../api/invitations.ts';
import { asRows } from '../../api/lists.ts';
import { useMay, useSession } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { NothingYet } from '../../components/ui/empty.tsx';
import { EmptyList, FilterChips, FilterSelect } from '../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../components/ui/list/list-page.tsx';
import { SearchBox } from '../../components/ui/list/search-box.tsx';
import { useList } from '../../components/ui/list/use-list.ts';
import { PageFor } from '../../components/ui/permission.tsx';
import { PeekTable } from '../../components/ui/table/peek-table.tsx';
import { useOpenRow } from '../../components/ui/table/use-open-row.ts';
import { Invitations } from './invitations.tsx';
import { mayManage } from './may-manage.ts';
import { userColumns } from './user-columns.tsx';
import { userFacts, userLinks } from './user-facts.tsx';
import { type UserFilter, userFilters } from './user-filters.ts';

const CreateUser = lazy(() => import('./create-user.tsx').then(({ CreateUser }) => ({ default: CreateUser })));
const EditUser = lazy(() => import('./edit-user.tsx').then(({ EditUser }) => ({ default: EditUser })));
const InviteUser = lazy(() => import('./invite-user.tsx').then(({ InviteUser }) => ({ default: InviteUser })));

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
  const cache = useQueryClient();
  const { user: own, role: ownRole } = useSession();
  const mayWrite = useMay('users:write');
  const [dialog, setDialog] = useState<'invite' | 'create'>();
  const { toggle } = useOpenRow();
  const [edited, setEdited] = useState<AdminUser>();
  const query = () => ({ q, role });
  const list = useList(
    { path, key: search, query, rowsOf: asRows<AdminUser>, counts: true },
    { rowId: ({ user_id }) => user_id },
  );
  const refresh = () => {
    list.refresh();
    void cache.invalidateQueries(invitationsQuery);
  };
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
            <>
              <Button look="primary" icon={UserPlus} onClick={() => setDialog('invite')}>
                Invite
              </Button>
              <Button icon={Plus} title="With a password that you set" onClick={() => setDialog('create')}>
                New account
              </Button>
            </>
          )}
          <ExportButton what="accounts" path={path} query={query} total={list.table.total} />
          <RefreshButton list={{ ...list, refresh }} />
        </>
      }
      chips={<FilterChips {...filter} />}
      totals={<Invitations />}
      notice={<ChangedRows list={list} />}
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
      <Suspense>
        {dialog === 'invite' && <InviteUser onClose={() => setDialog(undefined)} />}
        {dialog === 'create' && <CreateUser onClose={() => setDialog(undefined)} />}
        {edited && (
          <EditUser user={edited} isOwn={edited.user_id === own?.user_id} onClose={() => setEdited(undefined)} />
        )}
      </Suspense>
    </ListPage>
  );
}
