import type { UseQueryResult } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { deleteModel, type ModelKind } from '../../api/models.ts';
import { useMay } from '../../api/session.ts';
import { AuditLink } from '../../components/audit/audit-link.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Loading } from '../../components/ui/detail-page.tsx';
import { NothingMatches, NothingYet } from '../../components/ui/empty.tsx';
import { SearchBox } from '../../components/ui/list/search-box.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { Status } from '../../components/ui/status.tsx';
import { useRefreshAll } from '../../components/ui/use-refresh-all.ts';
import styles from './models.module.css';

const ConfirmDialog = lazy(() =>
  import('../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/** What an entry of the audit log calls them. */
const auditKinds: Record<ModelKind, string> = {
  'model-groups': 'model_group',
  'model-aliases': 'model_alias',
  'model-access-groups': 'model_access_group',
};

interface Described {
  display_name: string | null;
  description: string | null;
  status: string;
}

/** The part of a name by which entries are found. */
export interface NameFilter {
  q?: string;
  onFilter: (q: string | undefined, isContinued: boolean) => void;
}

interface ModelListProps<Row> extends NameFilter {
  kind: ModelKind;
  /** What its entries are called: `model group`. */
  noun: string;
  plural?: string;
  query: UseQueryResult<Row[]>;
  nameOf: (row: Row) => string;
  isShown: (row: Row) => boolean;
  /** What an entry is, below its name. */
  content: (row: Row) => ReactNode;
  /** The form of a new entry, or of one that is changed. */
  form: (row: Row | undefined, onClose: () => void) => ReactNode;
  /** What is refused when the entry is gone. */
  refused: string;
  /** What it is for, where there is none. */
  purpose: string;
}

/** Model groups, aliases or access groups, each with what it stands for. */
export function ModelList<Row extends Described>(props: ModelListProps<Row>) {
  const {
    kind,
    noun,
    plural = `${noun}s`,
    query,
    nameOf,
    isShown,
    content,
    form,
    refused,
    purpose,
    q,
    onFilter,
  } = props;
  const mayWrite = useMay('models:write');
  const refresh = useRefreshAll();
  const [edited, setEdited] = useState<Row | 'new'>();
  const [deleted, setDeleted] = useState<Row>();
  const create = mayWrite && (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New {noun}
    </Button>
  );
  const { data, error, refetch } = query;
  const shown = data?.filter(isShown) ?? [];
  return (
    <>
      {error && !data && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading what={plural} />}
      {data && data.length > 0 && (
        <div className={styles.bar}>
          <SearchBox label="name" value={q} onChange={onFilter} />
          {create}
        </div>
      )}
      {data?.length === 0 && (
        <NothingYet what={plural}>
          <p className="muted">{purpose}</p>
          {create}
        </NothingYet>
      )}
      {data && data.length > 0 && shown.length === 0 && <NothingMatches what={plural} />}
      <div className={styles.groups}>
        {shown.map((row) => (
          <section key={nameOf(row)} className={styles.group} aria-label={nameOf(row)}>
            <header className={styles.groupHead}>
              <div className={styles.groupName}>
                <Status of={row.status} />
                <h2 className="mono">{nameOf(row)}</h2>
                {row.display_name && <span className="muted">{row.display_name}</span>}
              </div>
              <span className={styles.groupActions}>
                <AuditLink kind={auditKinds[kind]} id={nameOf(row)} isIcon />
                {mayWrite && (
                  <>
                    <Button look="quiet" icon={Pencil} onClick={() => setEdited(row)}>
                      Edit
                    </Button>
                    <Button
                      look="quiet"
                      icon={Trash2}
                      aria-label={`Delete ${nameOf(row)}`}
                      onClick={() => setDeleted(row)}
                    />
                  </>
                )}
              </span>
            </header>
            {row.description && <p className={styles.description}>{row.description}</p>}
            {content(row)}
          </section>
        ))}
      </div>
      {edited && form(edited === 'new' ? undefined : edited, () => setEdited(undefined))}
      <Suspense>
        {deleted && (
          <ConfirmDialog
            title={`Delete the ${noun} ${nameOf(deleted)}?`}
            action={`Delete the ${noun}`}
            isDangerous
            effects={[{ what: refused, before: 'made', after: 'refused' }]}
            run={() => deleteModel(kind, nameOf(deleted))}
            done={`Deleted the ${noun} ${nameOf(deleted)}`}
            onClose={() => setDeleted(undefined)}
            onDone={refresh}
          />
        )}
      </Suspense>
    </>
  );
}
