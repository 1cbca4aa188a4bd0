import { createRootRoute, Outlet } from '@tanstack/react-router';
import { ProblemNote } from '../components/ui/problem-note.tsx';
import styles from './root-route.module.css';

/** The parent of every page, with a layout or without. It shows an error that no page has handled. */
export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ({ error, reset }) => (
    <div className={styles.centered}>
      <ProblemNote error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </div>
  ),
});
