import { useEffect, useSyncExternalStore } from 'react';
import { nameInBrowser } from '../api/base.ts';
import type { Changes } from '../api/types.ts';
import { type LiveState, openChannel, type TabMessage } from './channel.ts';
import { holdStream } from './stream.ts';
import { onWake } from './wake.ts';

/**
 * One event stream for the whole browser, however many tabs: the tab that has the lock holds it and forwards its events. Only a
 * visible tab competes for the lock, and gives it back when it is hidden, so that hidden tabs request nothing.
 */
const lockName = nameInBrowser('console.events');

type Handler = { onChanges: (changes: Changes) => void; onResync: () => void };

const handlers = new Set<Handler>();
const listeners = new Set<() => void>();
let state: LiveState = 'connecting';
let newVersion: string | undefined;
/** Whether there may have been changes that this tab has not received. */
let hasMissed = false;

/** Whether this page has had a stream, its own or that of another tab. */
let hasFollowed = false;

/** The page reads what it shows again when the stream is not there so long after the page was shown. */
const patienceMs = 1_500;
/** A connection that is neither open nor refused by then is not waited for: the page polls until it is open. */
const connectMs = 5_000;

function receive(message: TabMessage): void {
  if (message.type === 'changes') for (const { onChanges } of handlers) onChanges(message.changes);
  if (message.type === 'resync') resync();
  if (message.type === 'state') {
    if (message.isNew) hasMissed = true;
    setState(message.state);
  }
  if (message.type === 'version' && message.version !== __VERSION__ && newVersion !== message.version) {
    newVersion = message.version;
    notify();
  }
}

const resync = (): void => {
  for (const { onResync } of handlers) onResync();
};

/** For who receives changes: `startLive`, or a page that polls instead. */
export function setState(next: LiveState): void {
  if (next === 'polling' || next === 'paused') hasMissed = true;
  if (next === 'live' && hasMissed) {
    hasMissed = false;
    resync();
  }
  if (state === next) return;
  state = next;
  notify();
}

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Starts the events once, when the session is known. Returns what ends it. */
export function startLive(): () => void {
  const channel = openChannel();
  let holding: AbortController | undefined;
  let isHolder = false;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const later = (ms: number, work: () => void) => timers.add(setTimeout(work, ms));

  const publish = (message: TabMessage): void => {
    channel.postMessage(message);
    // The first stream of a page opens when it reads what it shows.
    const isFirst = message.type === 'state' && message.isNew && !hasFollowed;
    receive(isFirst ? { ...message, isNew: false } : message);
    hasFollowed = true;
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'hello' && isHolder) publish({ type: 'state', state: state === 'live' ? 'live' : 'polling' });
    else if (document.visibilityState === 'visible') {
      hasFollowed ||= data.type === 'state';
      receive(data);
    }
  };

  const begin = (): void => {
    if (holding) return;
    setState('connecting');
    const own = new AbortController();
    holding = own;
    later(patienceMs, () => {
      if (state !== 'connecting') return;
      if (hasMissed) resync();
      hasMissed = true;
    });
    later(connectMs, () => {
      if (state === 'connecting') setState('polling');
    });
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
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    setState('paused');
  };
  const follow = (): void => (document.visibilityState === 'visible' ? begin() : end());
  const renew = (): void => {
    end();
    follow();
  };

  follow();
  document.addEventListener('visibilitychange', follow);
  const stopWake = onWake(renew);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    stopWake();
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
