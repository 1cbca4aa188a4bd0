import { Ban, Check, Circle, CircleDashed, CircleDot, Dot, type LucideIcon, X } from 'lucide-react';
import styles from './status.module.css';

/** What a state means to the reader: there are four, each with a shape of its own. */
type Outcome = 'completed' | 'failed' | 'cancelled' | 'open';

const looks: Record<string, { outcome: Outcome; icon: LucideIcon; word: string }> = {
  pending: { outcome: 'open', icon: Circle, word: 'Pending' },
  queued: { outcome: 'open', icon: CircleDashed, word: 'Queued' },
  in_progress: { outcome: 'open', icon: CircleDot, word: 'In progress' },
  running: { outcome: 'open', icon: CircleDot, word: 'Running' },
  completed: { outcome: 'completed', icon: Check, word: 'Completed' },
  succeeded: { outcome: 'completed', icon: Check, word: 'Succeeded' },
  delivered: { outcome: 'completed', icon: Check, word: 'Delivered' },
  active: { outcome: 'completed', icon: Check, word: 'Active' },
  up: { outcome: 'completed', icon: Check, word: 'Up' },
  failed: { outcome: 'failed', icon: X, word: 'Failed' },
  failing: { outcome: 'failed', icon: X, word: 'Failing' },
  deleted: { outcome: 'cancelled', icon: Ban, word: 'Deleted' },
  interrupted: { outcome: 'failed', icon: X, word: 'Interrupted' },
  exhausted: { outcome: 'failed', icon: X, word: 'Exhausted' },
  down: { outcome: 'failed', icon: X, word: 'Down' },
  previous: { outcome: 'open', icon: CircleDashed, word: 'Previous' },
  invited: { outcome: 'open', icon: CircleDashed, word: 'Invited' },
  refused: { outcome: 'cancelled', icon: Ban, word: 'Refused' },
  cancelled: { outcome: 'cancelled', icon: Ban, word: 'Cancelled' },
  suspended: { outcome: 'cancelled', icon: Ban, word: 'Suspended' },
  expired: { outcome: 'cancelled', icon: Ban, word: 'Expired' },
  inactive: { outcome: 'cancelled', icon: Ban, word: 'Inactive' },
  unknown: { outcome: 'cancelled', icon: CircleDashed, word: 'Unknown' },
};

/** A state as shape, word and colour: each of the three is sufficient. */
export function Status({ of }: { of: string }) {
  const { outcome, icon: Icon, word } = looks[of] ?? { outcome: 'cancelled', icon: CircleDashed, word: of };
  return (
    <span className={`${styles.status} ${styles[outcome]}`}>
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}

/** Shows only the shape and its colour, where words stand beside it. Its word is for those who do not see it. */
export function StatusMark({ of }: { of: string }) {
  const { outcome, icon: Icon, word } = looks[of] ?? { outcome: 'cancelled', icon: Dot, word: '' };
  return (
    <span className={styles[outcome]}>
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      {word && <span className="visually-hidden">{word}</span>}
    </span>
  );
}
