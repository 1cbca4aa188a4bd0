import { lazy, Suspense } from 'react';
import type { ModelDialogProps } from './model-dialog.tsx';

const Dialog = lazy(() => import('./model-dialog.tsx').then(({ ModelDialog }) => ({ default: ModelDialog })));

/** The form of a model group, an alias or an access group. Its code is loaded when the first form opens. */
export const ModelForm = (props: ModelDialogProps) => (
  <Suspense>
    <Dialog {...props} />
  </Suspense>
);
