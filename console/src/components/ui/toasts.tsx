import { lazy, Suspense, useEffect, useState } from 'react';
import { hasToasts, onToast } from './toast-queue.ts';

const ToastList = lazy(() => import('./toast-list.tsx').then(({ ToastList }) => ({ default: ToastList })));

/** Shows short sentences about what was done. Its code is loaded for the first of them. */
export function Toasts() {
  const [isWanted, setWanted] = useState(hasToasts);
  useEffect(() => onToast(() => setWanted(true)), []);
  return <Suspense>{isWanted && <ToastList />}</Suspense>;
}
