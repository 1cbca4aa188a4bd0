import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns where the focus goes when its element is gone: to the row of the list that Tab reaches, else to the content of the page. */
export const focusHome = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main tr[data-row][tabindex="0"]') ?? document.querySelector<HTMLElement>('main');

/** Returns the focus from an element that disappears when it is used: a focus that was inside moves to `to`, else to `focusHome`. */
export function useFocusReturn(
  ref: RefObject<HTMLElement | null>,
  to: () => HTMLElement | null | undefined = focusHome,
) {
  const target = useRef(to);
  target.current = to;
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(() => (target.current() ?? focusHome())?.focus());
    };
  }, [ref]);
}
