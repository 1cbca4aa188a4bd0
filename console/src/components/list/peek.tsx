import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Button } from '../button.tsx';
import styles from './list.module.css';

interface PeekProps {
  label: string;
  head: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A row beside its list. Esc closes it. */
export function Peek({ label, head, onClose, children }: PeekProps) {
  useKeys({ Escape: onClose });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <aside className={styles.peek} aria-label={label} tabIndex={0}>
      <header className={styles.peekHead}>
        <span>{head}</span>
        <Button look="quiet" icon={X} aria-label="Close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
