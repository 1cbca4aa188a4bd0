import { useCallback, useEffect, useRef, useState } from 'react';
import type { Changes } from '../../../api/types.ts';
import { useChanges, usePolling } from '../../../live/live.ts';
import { useThrottledFigures } from '../../../live/use-figures.ts';

/** States are updated at once, figures after at most this long while changes keep coming. */
const maxPauseMs = 10_000;

/** When a list is read again by itself. It is, in any case, when changes may have been missed. */
export interface Follow {
  /** The rows that an event is about, with those that are not shown; `all` where it does not name them; undefined for another event. */
  isAbout?: (changes: Changes) => readonly string[] | 'all' | undefined;
  /** Milliseconds after which it is read again: no event is about some of its rows. */
  everyMs?: number;
}

/** For a list whose rows the event does not name: whether it is about the team. */
export const ofTeamIn = (changed: readonly { team_id: string }[], teamId: string): 'all' | undefined =>
  changed.some(({ team_id }) => team_id === teamId) ? 'all' : undefined;

/** How the list differs from what is shown: rows that it has beside it, and whether some have left it. */
export interface Difference {
  added: number;
  isOther: boolean;
}

export const noDifference: Difference = { added: 0, isOther: false };

/** The ids of rows that may have changed; `all`: any may have. */
export type Touched = ReadonlySet<string> | 'all';

const none: Touched = new Set<string>();

const union = (one: Touched, other: Touched): Touched =>
  one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);

/** Reads the first page, and each with one of these rows. */
type Read = (touched: Touched) => Promise<Difference>;

/** Reads a list in place on an event about it. `isKnown`: it is shown from the cache, which received no event. */
export function useFollowing(key: string, follow: Follow, isKnown: boolean, read: Read) {
  const [found, setFound] = useState({ key, difference: noDifference });
  const touched = useRef<Touched>(none);
  const before = useRef<Touched>(none);
  const refresh = useThrottledFigures(async () => {
    // What was read just after an event may not have had the change yet.
    const ids = union(before.current, touched.current);
    before.current = touched.current;
    touched.current = none;
    setFound({ key, difference: await read(ids) });
  }, maxPauseMs);
  const refreshAll = useCallback(() => {
    touched.current = 'all';
    refresh();
  }, [refresh]);
  const isAbout = useRef(follow.isAbout);
  isAbout.current = follow.isAbout;
  const onChanges = useCallback(
    (changes: Changes) => {
      const ids = isAbout.current?.(changes);
      if (ids === undefined) return;
      touched.current = union(touched.current, ids === 'all' ? ids : new Set(ids));
      refresh();
    },
    [refresh],
  );
  useChanges(onChanges, refreshAll);
  usePolling(refreshAll, follow.isAbout !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list
  useEffect(() => {
    if (isKnown) refreshAll();
  }, [key]);
  const { everyMs } = follow;
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && refreshAll(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, refreshAll]);
  const clear = () => setFound({ key, difference: noDifference });
  return { difference: found.key === key ? found.difference : noDifference, clear };
}
