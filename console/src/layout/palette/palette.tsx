import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useState } from 'react';
import { minLength, searchQuery } from '../../api/search.ts';
import { shortId } from '../../components/ui/id.tsx';
import styles from './palette.module.css';
import { type Entry, useEntries } from './use-entries.ts';

const maxCharacters = 1_000;

/** A virtual key or its beginning. It is not sent in the address of a request, which is logged on its way. */
const isKey = (text: string): boolean => /^["'`]?sk-/.test(text);

/** What is searched: one line, without what surrounds it. */
const toQuery = (text: string): string =>
  isKey(text) ? '' : text.replaceAll(/\s+/g, ' ').trim().slice(0, maxCharacters);

/** Finds any id as it was copied, an e-mail or an external id, a page or an action. Enter opens the first one, once it is found. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const query = useDeferredValue(toQuery(text));
  const found = useEntries(query);
  const entries = isKey(text) ? [] : found;
  const { isFetching, error, isPlaceholderData } = useQuery(searchQuery(query));
  const isRead = query.length < minLength || (!isFetching && !isPlaceholderData);
  const isSettled = query === toQuery(text) && isRead;
  /** The text for which Enter was pressed before it was found. */
  const [awaited, setAwaited] = useState<string>();
  const open = (entry: Entry) => {
    onClose();
    // The dialog of an action opens when the palette has given the focus back.
    setTimeout(entry.open);
  };
  const first = entries[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: once what was awaited is there
  useEffect(() => {
    if (awaited === undefined || !isSettled) return;
    setAwaited(undefined);
    if (awaited === toQuery(text) && first) open(first);
  }, [awaited, isSettled]);
  const onKeyDown = (event: KeyboardEvent & { preventBaseUIHandler?: () => void }) => {
    if (event.key !== 'Enter') return;
    if (isSettled) {
      if (entries.length === 1 && first) open(first);
      return;
    }
    event.preventDefault();
    event.preventBaseUIHandler?.();
    setAwaited(toQuery(text));
  };
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
              placeholder="Paste an id, or type a name, a page or an action"
              aria-label="Search"
              onKeyDown={onKeyDown}
            />
            <Autocomplete.Empty className={styles.empty}>{emptyText({ text, isSettled, error })}</Autocomplete.Empty>
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

function emptyText({ text, isSettled, error }: { text: string; isSettled: boolean; error: Error | null }): string {
  if (isKey(text)) return 'A key is not searched, so that it is in no log. Search for the id of its team';
  if (!isSettled) return 'Searching …';
  return error ? error.message : 'Nothing has this id, name or e-mail';
}
