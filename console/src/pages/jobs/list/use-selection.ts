import { useState } from 'react';

/** The ids of the selected rows. Another list begins with none, so that nobody acts on rows that are not shown. */
export function useSelection(listKey: string) {
  const [selection, setSelection] = useState({ listKey, ids: none });
  const ids = selection.listKey === listKey ? selection.ids : none;
  const set = (next: Iterable<string>) => setSelection({ listKey, ids: new Set(next) });
  return {
    ids,
    set,
    clear: () => set([]),
    toggle: (id: string) => set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
  };
}

const none: ReadonlySet<string> = new Set();
