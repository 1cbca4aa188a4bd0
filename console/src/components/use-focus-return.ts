import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where the focus goes when what had it is gone: to the reachable row of the list of the page, else to the content of the page. */
export const focusHome = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main tr[data-row][tabindex="0"]') ?? document.querySelector<HTMLElement>('main');

/** For what disappears when it is closed or done: the focus that was inside goes home, or where `to` finds a place. */
export function useFocusReturn(
  ref: RefObject<HTMLElement | null>,
  to: () => HTMLElement | null | undefined = focusHome,
) {
  const place = useRef(to);
  place.current = to;
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(() => (place.current() ?? focusHome())?.focus());
    };
  }, [ref]);
}
