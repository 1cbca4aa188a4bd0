import { type ReactNode, useRef } from 'react';
import { useFocusReturn } from '../../../../../components/ui/use-focus-return.ts';
import styles from './live.module.css';

/** The answer that is being written, in a box that scrolls. Who reads in it by keys goes on in the tab when the record takes its place. */
export function LiveResponse({ children }: { children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useFocusReturn(box, () => document.querySelector<HTMLElement>('[role="tabpanel"]:not([hidden])'));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section ref={box} className={styles.box} tabIndex={0} aria-label="The answer so far" data-scrolls>
      {children}
    </section>
  );
}
