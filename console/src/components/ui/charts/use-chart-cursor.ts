import { type KeyboardEvent, useState } from 'react';

interface ChartCursorOptions {
  count: number;
  /** A range of points was chosen, from the first to the last. */
  onSelect?: (first: number, last: number) => void;
}

/**
 * The point that the values above the chart are of, chosen by the pointer or by keys: arrows move it, Home and End go to the ends, with
 * Shift they mark a range, Enter chooses it, and Esc leaves the chart as it was.
 */
export function useChartCursor({ count, onSelect }: ChartCursorOptions) {
  const [shown, setShown] = useState<number>();
  const [anchor, setAnchor] = useState<number>();
  const at = shown === undefined || shown >= count ? undefined : shown;
  const leave = () => {
    setShown(undefined);
    setAnchor(undefined);
  };
  const steps: Record<string, number> = {
    ArrowRight: at === undefined ? 0 : Math.min(count - 1, at + 1),
    ArrowLeft: at === undefined ? count - 1 : Math.max(0, at - 1),
    Home: 0,
    End: count - 1,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = steps[event.key];
    const isChosen = event.key === 'Enter' && at !== undefined && onSelect !== undefined;
    const isLeft = event.key === 'Escape' && at !== undefined;
    if ((next === undefined && !isChosen && !isLeft) || count === 0) return;
    event.preventDefault();
    if (isChosen) onSelect(Math.min(at, anchor ?? at), Math.max(at, anchor ?? at));
    if (isChosen || isLeft) return leave();
    setAnchor(event.shiftKey ? (anchor ?? at ?? next) : undefined);
    setShown(next);
  };
  const marked =
    anchor === undefined || at === undefined ? undefined : ([Math.min(anchor, at), Math.max(anchor, at)] as const);
  return { shown: at, setShown, marked, keys: { tabIndex: 0, onKeyDown, onBlur: leave } };
}
