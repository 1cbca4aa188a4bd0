import { useEffect, useRef, useState } from 'react';

const restMs = 250;

/**
 * A selection that keys walk through, for what is requested for each: the first step is followed at once, and further ones when the
 * selection rests. Ten rows in two seconds are two requests.
 */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the selection only
  useEffect(() => {
    if (value === rested) return;
    const now = performance.now();
    const isFirst = now - changedAt.current > restMs;
    changedAt.current = now;
    if (isFirst) return setRested(value);
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
