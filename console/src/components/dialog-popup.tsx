import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type KeyMap, useKeys } from '../keys/keys.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';

/** The keys of the page beneath do nothing meanwhile. */
const noKeys: KeyMap = {};

export function DialogPopup(props: DialogProps) {
  const { title, onClose, children, isForced = false, isWide = false, hidesPage = false } = props;
  useKeys(noKeys, { isModal: true });
  return (
    <Base.Root open onOpenChange={(open) => !open && !isForced && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={classNames(styles.backdrop, hidesPage && styles.hiding)} />
        <Base.Popup className={classNames(styles.popup, isWide && styles.wide, hidesPage && styles.aboveAll)}>
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
