import { useSyncExternalStore } from 'react';
import { nameInBrowser } from '../api/base.ts';

/** What a person has chosen for this browser. Filters, ranges and what is open are in the URL instead. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  /** `local`, or an IANA name such as `UTC`. */
  zone: string;
  /** The ids of hidden columns, by table. */
  hiddenColumns: Record<string, string[]>;
  /** Lists of jobs under a name, each the part of a URL after `?`. */
  jobViews: { name: string; url: string }[];
}

const defaults: Preferences = { theme: 'system', zone: 'local', hiddenColumns: {}, jobViews: [] };
const key = nameInBrowser('console.preferences');
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>) };
  } catch {
    return defaults;
  }
}

let current = read();

export function changePreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(key, JSON.stringify(current));
  } catch {
    // Storage is full or forbidden: the choice holds until the page is left.
  }
  notify();
}

function notify(): void {
  applyTheme();
  for (const listener of listeners) listener();
}

/** Sets the theme on the document. Called before the first paint, and with each change. */
export function applyTheme(): void {
  const { theme } = current;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// A choice in one tab holds in all of them.
window.addEventListener('storage', (event) => {
  if (event.key !== key) return;
  current = read();
  notify();
});

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => current);

/** The IANA name of the chosen zone. */
export const useZone = (): string => {
  const { zone } = usePreferences();
  return zone === 'local' ? localZone : zone;
};

export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
