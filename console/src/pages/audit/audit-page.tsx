import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { asRows } from '../../api/lists.ts';
import type { AuditEntry } from '../../api/types.ts';
import { AuditList, useUsers } from '../../components/audit/audit-list.tsx';
import { AuditSentence } from '../../components/audit/audit-sentence.tsx';
import { ResourceLink } from '../../components/audit/resource-link.tsx';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { NothingYet } from '../../components/ui/empty.tsx';
import { Facts } from '../../components/ui/facts.tsx';
import { Id } from '../../components/ui/id.tsx';
import { AddFilter, EmptyList, FilterChips, FilterSelect } from '../../components/ui/list/filter-controls.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/ui/list/list-actions.tsx';
import { ChangedRows, ListPage } from '../../components/ui/list/list-page.tsx';
import { SearchBox } from '../../components/ui/list/search-box.tsx';
import { useList } from '../../components/ui/list/use-list.ts';
import { PageFor } from '../../components/ui/permission.tsx';
import { Peek } from '../../components/ui/table/peek.tsx';
import { useOpenRow } from '../../components/ui/table/use-open-row.ts';
import { Time } from '../../components/ui/time.tsx';
import { toMoments } from '../../url/time-range.ts';
import { type AuditFilter, auditFilters } from './audit-filters.ts';

const route = getRouteApi('/layout/audit');
const path = '/api/admin-users/audit-logs';

export const AuditPage = () => (
  <PageFor needs="audit:read" what="the audit log">
    <Audit />
  </PageFor>
);

function Audit() {
  const { range, from, to, q, kind, user, action, resource } = route.useSearch();
  const { open, close, toggle } = useOpenRow();
  const search = { q, kind, user, action, resource };
  const navigate = useNavigate({ from: '/audit' });
  const query = () => ({
    ...toMoments({ range, from, to }),
    q,
    resource_type: kind,
    user_id: user,
    action,
    resource_id: resource,
  });
  const list = useList(
    {
      path,
      key: { ...search, range, from, to },
      query,
      rowsOf: asRows<AuditEntry>,
      counts: true,
    },
    { rowId: ({ audit_id }) => audit_id },
  );
  const apply = (change: FilterSearch<AuditFilter>, isContinued = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: isContinued });
  const filter = { filters: auditFilters, search, onChange: apply };
  const opened = list.rows.find(({ audit_id }) => audit_id === open);

  return (
    <ListPage
      title="Audit log"
      filters={
        <>
          <SearchBox
            label="action, id or address"
            value={q}
            onChange={(text, isContinued) => apply({ q: text }, isContinued)}
          />
          <FilterSelect name="kind" {...filter} />
          <AddFilter {...filter} />
        </>
      }
      actions={
        <>
          <ExportButton what="entries" path={path} query={query} total={list.table.total} />
          <RefreshButton list={list} />
        </>
      }
      chips={<FilterChips {...filter} />}
      notice={<ChangedRows list={list} />}
    >
      <AuditList
        id="audit"
        table={list.table}
        openId={open}
        onPeek={({ audit_id }) => toggle(audit_id)}
        empty={
          <EmptyList what="entries" {...filter}>
            <NothingYet what="entries in this time range">
              <p className="muted">Whatever is changed, revealed or signed in to makes one.</p>
            </NothingYet>
          </EmptyList>
        }
      />
      {opened && <AuditPeek entry={opened} onClose={close} />}
    </ListPage>
  );
}

function AuditPeek({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const users = useUsers();
  return (
    <Peek label="Entry" head={<Id id={entry.audit_id} />} onClose={onClose}>
      <p>
        <AuditSentence entry={entry} users={users} />
      </p>
      <Facts
        facts={[
          ['Time', <Time key="at" at={entry.created_at} />],
          ['Action', <code key="action">{entry.action}</code>],
          ['About', entry.resource_type.replaceAll('_', ' ')],
          ['Id or name', entry.resource_id && <Id key="id" id={entry.resource_id} whole />],
          ['Open', entry.resource_id && <ResourceLink key="link" type={entry.resource_type} id={entry.resource_id} />],
          ['Account', entry.user_id && <Id key="user" id={entry.user_id} whole />],
          ['Address', entry.ip_address && <Id key="address" id={entry.ip_address} whole />],
        ]}
      />
      <CopyBlock text={JSON.stringify(entry.details, null, 2)} label="Copy the details" />
    </Peek>
  );
}
