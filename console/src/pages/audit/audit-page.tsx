import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { asRows } from '../../api/lists.ts';
import type { AuditEntry } from '../../api/types.ts';
import { momentsOf } from '../../app/time-range.ts';
import { CopyBlock } from '../../components/copy-block.tsx';
import { NothingYet } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { AddFilter, EmptyList, FilterChips, FilterSelect } from '../../components/list/filter-controls.tsx';
import type { FilterSearch } from '../../components/list/filters.ts';
import { ExportButton, RefreshButton } from '../../components/list/list-actions.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { Peek } from '../../components/list/peek.tsx';
import { SearchBox } from '../../components/list/search-box.tsx';
import { useList } from '../../components/list/use-list.ts';
import { PageFor } from '../../components/permission.tsx';
import { useOpenRow } from '../../components/table/use-open-row.ts';
import { Time } from '../../components/time.tsx';
import { type AuditFilter, auditFilters } from './audit-filters.ts';
import { AuditList, useUsers } from './audit-list.tsx';
import { AuditSentence } from './audit-sentence.tsx';
import { ResourceLink } from './resource-link.tsx';

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
    ...momentsOf({ range, from, to }),
    q,
    resource_type: kind,
    user_id: user,
    action,
    resource_id: resource,
  });
  const list = useList({
    path,
    key: { ...search, range, from, to },
    query,
    rowsOf: asRows<AuditEntry>,
    counts: true,
  });
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
