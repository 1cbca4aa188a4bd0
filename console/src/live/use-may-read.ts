import { useSyncExternalStore } from 'react';
import { onSessionChange, sessionEnd } from '../api/session-end.ts';

/** Whether the page may request something by itself: it is shown, and its session has not ended. `spec 20.7`, `spec 20.11` */
export const useMayRead = (): boolean => useSyncExternalStore(subscribe, mayRead);

const mayRead = (): boolean => document.visibilityState === 'visible' && sessionEnd() === undefined;

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  const stop = onSessionChange(listener);
  return () => {
    document.removeEventListener('visibilitychange', listener);
    stop();
  };
}
