import { lazy, type ReactNode, Suspense } from 'react';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog-popup.tsx';

const Popup = lazy(() => import('./dialog-popup.tsx').then(({ DialogPopup }) => ({ default: DialogPopup })));

/**
 * A modal dialog, open for as long as it is rendered: the focus stays inside, Esc closes it, and the focus returns to where it was. Its
 * code is loaded when the first one opens.
 */
export const Dialog = (props: DialogProps) => (
  <Suspense>
    <Popup {...props} />
  </Suspense>
);

/** The buttons of a dialog, the safe one first. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions} data-actions>
    {children}
  </div>
);
