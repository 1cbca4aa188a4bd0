import { nameInBrowser } from './base.ts';

/**
 * The time at which somebody has used the console, as far as the service knows: that of the last request that was sent for a
 * person, in milliseconds. All tabs of the browser share it, as they share the session. It is no credential.
 */
const key = nameInBrowser('console.used-at');

/** Somebody has used the page since that request. Opening the page is a use. */
let hasInput = true;
let own = 0;

export const noteInput = (): void => {
  hasInput = true;
};

function stored(): number {
  try {
    return Number(localStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

export const usedAt = (): number => Math.max(own, stored());

function noteUse(at: number): void {
  own = at;
  try {
    localStorage.setItem(key, String(at));
  } catch {
    // Storage is full or forbidden: each tab counts for itself.
  }
}

/** A request: whether it is sent for a person, and what to call when it was answered, or was not. */
export interface RequestUse {
  isUse: boolean;
  answered(): void;
  lost(): void;
}

/** A request that changes something is sent for a person, and so is the first read after an input. `spec 20.11` */
export function beginRequest(method: string): RequestUse {
  const isUse = hasInput || method !== 'GET';
  const at = Date.now();
  if (isUse) hasInput = false;
  return {
    isUse,
    answered: () => {
      if (isUse) noteUse(at);
    },
    lost: () => {
      if (isUse) hasInput = true;
    },
  };
}
