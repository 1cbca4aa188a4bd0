import { useSyncExternalStore } from 'react';
import { formatAge, formatDuration, formatExact, formatMoment } from '../../format/time.ts';
import { useZone } from '../../preferences/preferences.ts';
import { Missing } from './money.tsx';

/** A moment in the chosen zone, exact on hover. */
export function Time({ at, missing }: { at: string | null | undefined; missing?: string }) {
  const zone = useZone();
  if (!at) return <Missing why={missing} />;
  return (
    <time dateTime={at} title={formatExact(at, zone)}>
      {formatMoment(at, zone)}
    </time>
  );
}

/** How long ago. All ages of a page move on together. */
export function Age({ of }: { of: string }) {
  const zone = useZone();
  const now = useSyncExternalStore(subscribe, () => clock);
  return (
    <time dateTime={of} title={formatExact(of, zone)}>
      {formatAge(of, now)}
    </time>
  );
}

export function Duration({ ms }: { ms: number | null | undefined }) {
  if (ms === null || ms === undefined) return <Missing why="not known yet" />;
  return <span title={`${ms} ms`}>{formatDuration(ms)}</span>;
}

const tickMs = 10_000;
const listeners = new Set<() => void>();
let clock = Date.now();

setInterval(() => {
  if (document.visibilityState === 'hidden') return;
  clock = Date.now();
  for (const listener of listeners) listener();
}, tickMs);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
