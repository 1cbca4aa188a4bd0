import { RotateCw, TriangleAlert } from 'lucide-react';
import { Problem } from '../../api/problem.ts';
import { Button } from './button.tsx';
import { Id } from './id.tsx';
import styles from './note.module.css';

/** An error in the place of the content, with the request id by which support finds it. */
export function ProblemNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof Problem ? error.requestId : null;
  return (
    <div className={styles.note} role="alert">
      <TriangleAlert size={18} className={styles.failed} aria-hidden />
      <p className={styles.title}>{error.message}</p>
      {requestId && (
        <p className="muted">
          Request <Id id={requestId} whole />
        </p>
      )}
      {onRetry && (
        <Button icon={RotateCw} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
