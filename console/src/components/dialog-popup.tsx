import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type KeyMap, useKeys } from '../keys/keys.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';

/** The keys of the page beneath do nothing meanwhile. */
const noKeys: KeyMap = {};

export function DialogPopup({ title, onClose, children, isForced = false }: DialogProps) {
  useKeys(noKeys, { isModal: true });
  return (
    <Base.Root open onOpenChange={(open) => !open && !isForced && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup}>
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isForced && <Base.Close render={<Button look="quiet" icon={X} aria-label="Close" />} />}
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
