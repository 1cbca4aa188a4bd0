import { createRootRoute, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { viewedTeam } from '../api/base.ts';
import { Problem } from '../api/problem.ts';
import { viewNotOpen } from '../api/request.ts';
import { ProblemNote } from '../components/ui/problem-note.tsx';
import styles from './root-route.module.css';

const ViewGate = lazy(() => import('./view/view-gate.tsx').then(({ ViewGate }) => ({ default: ViewGate })));

/** The parent of every page, with a layout or without. It shows an error that no page has handled. */
export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ({ error, reset }) =>
    error instanceof Problem && error.code === viewNotOpen ? (
      <Suspense>
        <ViewGate teamId={decodeURIComponent(viewedTeam)} />
      </Suspense>
    ) : (
      <div className={styles.centered}>
        <ProblemNote error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
      </div>
    ),
});
