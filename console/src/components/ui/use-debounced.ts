import { useEffect, useRef, useState } from 'react';

const debounceMs = 250;

/**
 * The value, delayed: its first change is returned at once, a further one when the value has not changed for 250 ms. For a selection
 * that keys move and that is requested each time: ten rows in two seconds are two requests.
 */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the selection only
  useEffect(() => {
    if (value === debounced) return;
    const now = performance.now();
    const isFirst = now - changedAt.current > debounceMs;
    changedAt.current = now;
    if (isFirst) return setDebounced(value);
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
