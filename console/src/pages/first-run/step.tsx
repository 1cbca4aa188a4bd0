import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../components/ui/class-names.ts';
import styles from './first-run.module.css';

/** `ready`: it can be done, and another one is next. */
export type StepState = 'done' | 'current' | 'ready' | 'later';

interface StepProps {
  position: number;
  title: string;
  state: StepState;
  /** What the step has made: it stays. */
  result?: ReactNode;
  children?: ReactNode;
}

/** One step of several. Its button gets the focus when it is its turn, so that Enter goes on. */
export function Step({ position, title, state, result, children }: StepProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (state === 'current')
      item.current?.querySelector<HTMLElement>('[data-first], button[type="submit"], button')?.focus();
  }, [state]);
  return (
    <li
      ref={item}
      className={classNames(styles.step, styles[state])}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span className={styles.mark} aria-hidden>
        {state === 'done' ? <Check size={14} strokeWidth={2.5} /> : position}
      </span>
      <div className={styles.content}>
        <h2>
          {title}
          {state === 'done' && <span className="visually-hidden"> (done)</span>}
        </h2>
        {result}
        {state !== 'later' && children}
      </div>
    </li>
  );
}
