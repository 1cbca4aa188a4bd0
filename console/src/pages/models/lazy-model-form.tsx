import { lazy, Suspense } from 'react';
import type { ModelFormProps } from './model-form.tsx';

const Form = lazy(() => import('./model-form.tsx').then(({ ModelForm }) => ({ default: ModelForm })));

/** Loaded when the first form opens. */
export const ModelForm = (props: ModelFormProps) => (
  <Suspense>
    <Form {...props} />
  </Suspense>
);
