import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { searchQuery } from '../../api/search.ts';
import { useSession } from '../../api/session.ts';
import { shortId } from '../../components/ui/id.tsx';
import { navItems } from '../navigation/nav-items.ts';
import { addressOf } from './address-of.ts';
import styles from './palette.module.css';

interface Entry {
  key: string;
  kind: string;
  label: string;
  id?: string;
  detail?: string | null;
  href: string;
}

/** Finds any id, e-mail or external id, or the name of a page: Enter opens the first hit. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const entries = useEntries(query);
  const router = useRouter();
  const open = ({ href }: Entry) => {
    onClose();
    router.history.push(router.buildLocation({ to: href as '/' }).href);
  };
  const { isFetching, error } = useQuery(searchQuery(query));
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Search">
          <Autocomplete.Root
            open
            inline
            items={entries}
            value={text}
            onValueChange={setText}
            filter={null}
            autoHighlight="always"
            itemToStringValue={(entry: Entry) => entry.label}
          >
            <Autocomplete.Input
              className={styles.input}
              placeholder="Paste an id, an e-mail or an external id"
              aria-label="Search"
              onKeyDown={(event) => {
                if (event.key === 'Enter' && entries.length === 1 && entries[0]) open(entries[0]);
              }}
            />
            <Autocomplete.Empty className={styles.empty}>
              {isFetching ? 'Searching …' : error ? error.message : query ? 'Nothing has this id, name or e-mail' : ''}
            </Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(entry: Entry) => (
                <Autocomplete.Item key={entry.key} value={entry} className={styles.item} onClick={() => open(entry)}>
                  <span className={styles.kind}>{entry.kind}</span>
                  <span className={styles.label}>
                    {entry.id && <span className="mono">{shortId(entry.id)}</span>} {entry.label}
                  </span>
                  <span className="muted">{entry.detail}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useEntries(query: string): Entry[] {
  const session = useSession();
  const { data } = useQuery(searchQuery(query));
  const pages = navItems
    .filter(({ isFor, label }) => isFor(session) && label.toLowerCase().includes(query.toLowerCase()))
    .map(({ to, label }) => ({ key: to, kind: 'page', label, href: to }));
  const hits = (data?.results ?? []).flatMap((result) => {
    const href = addressOf(result);
    return href
      ? [
          {
            key: `${result.type} ${result.id}`,
            kind: result.type.replaceAll('_', ' '),
            label: result.label,
            id: result.id === result.label ? undefined : result.id,
            detail: result.detail,
            href,
          },
        ]
      : [];
  });
  return [...hits, ...pages];
}
