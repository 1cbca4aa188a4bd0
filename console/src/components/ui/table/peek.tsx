import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { Button } from '../button.tsx';
import { useFocusReturn } from '../use-focus-return.ts';
import styles from './peek.module.css';

interface PeekProps {
  label: string;
  head: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A row beside its list. Esc closes it, and the focus goes back to the row. */
export function Peek({ label, head, onClose, children }: PeekProps) {
  const panel = useRef<HTMLElement>(null);
  useShortcuts({ Escape: onClose });
  useFocusReturn(panel);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <aside ref={panel} className={styles.peek} aria-label={label} tabIndex={0}>
      <header className={styles.head}>
        <span>{head}</span>
        <Button look="quiet" icon={X} aria-label="Close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
