import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Without a way to close it other than its own content. */
  isForced?: boolean;
  wide?: boolean;
}

/** A modal dialog: the focus stays inside, Esc closes it, and returns to where it was. */
export function Dialog({ title, isOpen, onClose, children, isForced = false, wide = false }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && !isForced && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={wide ? `${styles.popup} ${styles.wide}` : styles.popup}>
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isForced && (
              <Base.Close render={<Button look="quiet" icon={X} aria-label="Close" />} />
            )}
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog, the safe one first. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>;
