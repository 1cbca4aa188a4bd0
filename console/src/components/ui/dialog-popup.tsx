import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { type ShortcutMap, useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { focusHome } from './use-focus-return.ts';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Whether only its own content closes it. */
  isForced?: boolean;
  /** Whether it is wide enough for a form with several fields in a row. */
  isWide?: boolean;
  /** Whether it hides the page behind it. */
  hidesPage?: boolean;
}

/** The keys of the page beneath do nothing meanwhile. */
const noShortcuts: ShortcutMap = {};

export function DialogPopup(props: DialogProps) {
  const { title, onClose, children, isForced = false, isWide = false, hidesPage = false } = props;
  useShortcuts(noShortcuts, { isModal: true });
  const [opener] = useState(() => document.activeElement);
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(open) => !open && !isForced && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={classNames(styles.backdrop, hidesPage && styles.hiding)} />
        <Base.Popup
          ref={popup}
          initialFocus={() => focusFirst(popup.current)}
          className={classNames(styles.popup, isWide && styles.wide, hidesPage && styles.aboveAll)}
          finalFocus={() => focusAfter(opener)}
        >
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

/** What a person fills in, in the order of the page. */
const fields = 'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * The first field. Without one the first button below the text, which is the safe one, and else the dialog itself, so that a
 * screen reader begins with its title and Enter does nothing.
 */
const focusFirst = (popup: HTMLElement | null): HTMLElement | null =>
  popup?.querySelector<HTMLElement>(fields) ?? popup?.querySelector<HTMLElement>('[data-actions] > button') ?? popup;

/** What opened the dialog, unless it is gone: then the list or the content of the page. Another dialog keeps the focus. */
function focusAfter(opener: Element | null): HTMLElement | null | undefined {
  if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) return opener;
  return document.querySelector('[role="dialog"]') ? undefined : focusHome();
}
