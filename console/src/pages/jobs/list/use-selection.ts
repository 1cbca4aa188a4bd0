import { useState } from 'react';

/** The ids of the selected rows. Another list begins with none, so that nobody acts on rows that are not shown. */
export function useSelection(listKey: string) {
  const [selection, setSelection] = useState({ listKey, ids: none });
  const ids = selection.listKey === listKey ? selection.ids : none;
  const change = (next: (ids: ReadonlySet<string>) => Iterable<string>) =>
    setSelection((now) => ({ listKey, ids: new Set(next(now.listKey === listKey ? now.ids : none)) }));
  return {
    ids,
    set: (next: Iterable<string>) => change(() => next),
    clear: () => change(() => none),
    toggle: (id: string) => change((now) => (now.has(id) ? [...now].filter((other) => other !== id) : [...now, id])),
  };
}

const none: ReadonlySet<string> = new Set();
