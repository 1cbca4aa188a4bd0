const isMac = navigator.platform.startsWith('Mac');
export const mod = isMac ? '⌘' : 'Ctrl';

interface ShortcutGroup {
  group: string;
  keys: { name: string; shown: readonly string[]; does: string }[];
}

/** What the keys of all pages do, in the order of the list behind `?`. `name` is the name in a `ShortcutMap`. */
const known: ShortcutGroup[] = [
  {
    group: 'Everywhere',
    keys: [
      { name: 'mod+k', shown: [mod, 'K'], does: 'Search: any id as it was copied, a page or an action' },
      { name: '?', shown: ['?'], does: 'Show this list' },
    ],
  },
  {
    group: 'On this page',
    keys: [
      { name: '/', shown: ['/'], does: 'Filter' },
      { name: 'j', shown: ['j', '↓'], does: 'Next row, or next item of the timeline' },
      { name: 'k', shown: ['k', '↑'], does: 'Previous row, or previous item of the timeline' },
      { name: 'Enter', shown: ['Enter'], does: 'Open the row' },
      { name: 'Space', shown: ['Space'], does: 'Peek: show the row beside the list' },
      { name: 'c', shown: ['c'], does: 'Copy the id of the row' },
      { name: 'x', shown: ['x'], does: 'Select the row' },
      { name: 'Escape', shown: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    group: 'On a receipt',
    keys: [
      { name: 'n', shown: ['n'], does: 'Next job in the list' },
      { name: 'p', shown: ['p'], does: 'Previous job in the list' },
      { name: 'u', shown: ['u'], does: 'Back to the list' },
    ],
  },
];

/** The shortcuts that have a handler on the page as it is. */
export const shortcutGroups = (active: ReadonlySet<string>): ShortcutGroup[] =>
  known
    .map(({ group, keys }) => ({ group, keys: keys.filter(({ name }) => active.has(name)) }))
    .filter(({ keys }) => keys.length > 0);
