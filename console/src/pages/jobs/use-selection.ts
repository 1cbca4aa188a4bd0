import { useState } from 'react';

/** The ids of the rows that are selected. Another list begins without any: nobody is to act on rows that they do not see. */
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
