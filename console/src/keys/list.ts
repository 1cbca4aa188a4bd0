const isMac = navigator.platform.startsWith('Mac');
export const mod = isMac ? '⌘' : 'Ctrl';

/** What the sheet behind `?` shows. */
export const keyList: { group: string; keys: { keys: string[]; does: string }[] }[] = [
  {
    group: 'Everywhere',
    keys: [
      { keys: [mod, 'K'], does: 'Search: paste any id, e-mail or external id' },
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    group: 'In a list',
    keys: [
      { keys: ['/'], does: 'Filter' },
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Row before' },
      { keys: ['Enter'], does: 'Open' },
      { keys: ['Space'], does: 'Peek' },
      { keys: ['c'], does: 'Copy the id' },
      { keys: ['x'], does: 'Select' },
    ],
  },
  {
    group: 'On a receipt',
    keys: [
      { keys: ['n'], does: 'Next job of the list' },
      { keys: ['p'], does: 'Job before in the list' },
      { keys: ['u'], does: 'Back to the list' },
      { keys: ['j', 'k'], does: 'Next item of the timeline, or the one before' },
    ],
  },
];
