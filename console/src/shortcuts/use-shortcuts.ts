import { useEffect, useRef } from 'react';

/** `mod` is Ctrl, or Cmd on a Mac. */
export type ShortcutMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const nameOf = (event: KeyboardEvent): string => {
  const name = event.key === ' ' ? 'Space' : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${name.toLowerCase()}` : name;
};

/** The elements in which a key is text, or belongs to a widget with keys of its own. */
const ownsKeys =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="tablist"], [role="application"]';

/** What a key already does on this element, such as Enter on a link. */
const acts = 'a, button, summary, [role="tab"], [role="menuitem"], [role="checkbox"], [role="switch"]';

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const name = nameOf(event);
  if (name.startsWith('mod+')) return false;
  if (target?.closest(ownsKeys)) return true;
  return (name === 'Enter' || name === 'Space') && target?.closest(acts) !== null;
}

const layers: { isModal: boolean; map: { current: ShortcutMap } }[] = [];

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey || isTaken(event)) return;
  for (const { isModal, map } of layers.toReversed()) {
    const handle = map.current[nameOf(event)];
    if (handle) {
      event.preventDefault();
      return handle(event);
    }
    if (isModal) return;
  }
});

/** The names of the shortcuts that have a handler now. */
export const activeShortcuts = (): ReadonlySet<string> =>
  new Set(layers.flatMap(({ map }) => Object.keys(map.current)));

/** Keys that work anywhere on the page while the component is shown. Those of a component that was mounted later come first. */
export function useShortcuts(map: ShortcutMap, { isModal = false, isActive = true } = {}): void {
  const current = useRef(map);
  current.current = map;
  useEffect(() => {
    if (!isActive) return;
    const layer = { isModal, map: current };
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [isModal, isActive]);
}
