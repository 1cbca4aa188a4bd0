import { Lock, type LucideIcon, Rows3, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './note.module.css';

interface NoteProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
}

function Note({ icon: Icon, title, children }: NoteProps) {
  return (
    <div className={styles.note}>
      <Icon size={18} className="muted" aria-hidden />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

/** There is nothing, whatever the filters: how to make the first one. */
export const NothingYet = ({ what, children }: { what: string; children?: ReactNode }) => (
  <Note icon={Rows3} title={`No ${what} yet`}>
    {children}
  </Note>
);

/** The filters leave nothing: which of them to drop. */
export const NothingMatches = ({ what, children }: { what: string; children?: ReactNode }) => (
  <Note icon={SearchX} title={`No ${what} match`}>
    {children}
  </Note>
);

/** The session may not see it: who can. */
export const NotAllowed = ({ what, who }: { what: string; who: string }) => (
  <Note icon={Lock} title={`You cannot see ${what}`}>
    <p className="muted">{who} can.</p>
  </Note>
);
