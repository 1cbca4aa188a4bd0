import { type PointerEvent, useState } from 'react';

interface DragRangeOptions {
  /** The point of the chart at a distance from its left side, in pixels. */
  indexAt: (position: number) => number;
  onSelect: (first: number, last: number) => void;
}

/** The range of points between where the pointer went down and where it is. A click without a move chooses nothing. */
export function useDragRange({ indexAt, onSelect }: DragRangeOptions) {
  const [ends, setEnds] = useState<[from: number, to: number]>();
  const at = (event: PointerEvent): number => indexAt(event.nativeEvent.offsetX);
  const range = ends && ([Math.min(...ends), Math.max(...ends)] as const);
  return {
    range: range && range[0] !== range[1] ? range : undefined,
    onDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setEnds([at(event), at(event)]);
    },
    onMove: (event: PointerEvent) => {
      if (ends) setEnds([ends[0], at(event)]);
    },
    onUp: () => {
      if (range && range[0] !== range[1]) onSelect(...range);
      setEnds(undefined);
    },
  };
}
