import { useEffect, useSyncExternalStore } from 'react';
import { onSessionChange, sessionEnd } from '../../api/session-end.ts';
import { setState } from '../../live/live.ts';

/** A view has no stream of events, which sends no header: its pages poll while they are shown. Decision 131. */
export function usePollingPage(): void {
  const isOpen = useSyncExternalStore(onSessionChange, sessionEnd) === undefined;
  useEffect(() => {
    if (!isOpen) return;
    const follow = (): void => setState(document.visibilityState === 'visible' ? 'polling' : 'paused');
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      setState('paused');
    };
  }, [isOpen]);
}
