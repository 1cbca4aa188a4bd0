import { createRootRoute, Outlet } from '@tanstack/react-router';
import { ProblemNote } from '../components/problem-note.tsx';
import styles from './root-route.module.css';

/** Around every page, with a layout or without. */
export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: ({ error, reset }) => (
    <div className={styles.centered}>
      <ProblemNote error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </div>
  ),
});
