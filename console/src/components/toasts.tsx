import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

const manager = Toast.createToastManager();

/** A short sentence about something that has just been done. */
export const addToast = (sentence: string): void => void manager.add({ title: sentence, timeout: 5_000 });

export const Toasts = () => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title className={styles.title} />
      <Toast.Close render={<Button look="quiet" icon={X} aria-label="Dismiss" />} />
    </Toast.Root>
  ));
}
