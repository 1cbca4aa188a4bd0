import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from './button.tsx';
import { onToast, takeToasts } from './toast-queue.ts';
import styles from './toasts.module.css';

const shownMs = 5_000;
const manager = Toast.createToastManager();

const show = (): void => {
  for (const title of takeToasts()) manager.add({ title, timeout: shownMs });
};

export function ToastList() {
  useEffect(() => {
    show();
    return onToast(show);
  }, []);
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title className={styles.title} />
      <Toast.Close render={<Button look="quiet" icon={X} aria-label="Dismiss" />} />
    </Toast.Root>
  ));
}
