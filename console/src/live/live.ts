import { useEffect, useSyncExternalStore } from 'react';
import type { Changes } from '../api/types.ts';
import { type LiveState, openChannel, type TabMessage } from './channel.ts';
import { holdStream } from './stream.ts';

/**
 * One event stream for the whole browser, however many tabs: the tab that has the lock holds it and forwards its events. Only a
 * visible tab competes for the lock, and gives it back when it is hidden, so that hidden tabs request nothing.
 */
const lockName = 'console.events';

type Handler = { onChanges: (changes: Changes) => void; onResync: () => void };

const handlers = new Set<Handler>();
const listeners = new Set<() => void>();
let state: LiveState = 'connecting';
let newVersion: string | undefined;

function receive(message: TabMessage): void {
  if (message.type === 'changes') for (const { onChanges } of handlers) onChanges(message.changes);
  if (message.type === 'resync') for (const { onResync } of handlers) onResync();
  if (message.type === 'state') setState(message.state);
  if (message.type === 'version' && message.version !== __VERSION__ && newVersion !== message.version) {
    newVersion = message.version;
    notify();
  }
}

function setState(next: LiveState): void {
  if (state === next) return;
  const wasAway = state === 'polling' || state === 'paused';
  state = next;
  notify();
  // Changes of that time were not received.
  if (wasAway && next === 'live') for (const { onResync } of handlers) onResync();
}

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Starts the events once, when the session is known. Returns what ends it. */
export function startLive(): () => void {
  const channel = openChannel();
  let holding: AbortController | undefined;
  let isHolder = false;

  const publish = (message: TabMessage): void => {
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'hello' && isHolder) publish({ type: 'state', state: state === 'live' ? 'live' : 'polling' });
    else if (document.visibilityState === 'visible') receive(data);
  };

  const begin = (): void => {
    if (holding) return;
    setState('connecting');
    const own = new AbortController();
    holding = own;
    channel.postMessage({ type: 'hello' } satisfies TabMessage);
    void navigator.locks
      .request(lockName, { signal: own.signal }, async () => {
        isHolder = true;
        await holdStream(own.signal, publish);
        isHolder = false;
      })
      .catch(() => undefined);
  };
  const end = (): void => {
    holding?.abort();
    holding = undefined;
    setState('paused');
  };
  const follow = (): void => (document.visibilityState === 'visible' ? begin() : end());

  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    end();
    channel.close();
  };
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state);

/** The version of the service, where it is another one than that of this page. */
export const useNewVersion = (): string | undefined => useSyncExternalStore(subscribe, () => newVersion);

/** Calls the handlers for as long as the component is shown. */
export function useChanges(onChanges: (changes: Changes) => void, onResync: () => void): void {
  useEffect(() => {
    const handler = { onChanges, onResync };
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }, [onChanges, onResync]);
}

const pollMs = 5_000;

/** The `refetchInterval` of a query about something that is not finished: an event of the stream reads it again when it changes, or a poll does. */
export const usePollInterval = (isUnfinished: boolean): number | false => {
  const current = useLiveState();
  return isUnfinished && current === 'polling' ? pollMs : false;
};

/** Calls `read` every five seconds while the stream is away. */
export function usePolling(read: () => void, isUnfinished: boolean): void {
  const interval = usePollInterval(isUnfinished);
  useEffect(() => {
    if (interval === false) return;
    const timer = setInterval(read, interval);
    return () => clearInterval(timer);
  }, [interval, read]);
}
