import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './note.module.css';

interface NoteBoxProps {
  icon: LucideIcon;
  title: string;
  /** The note replaces the whole page: its title is the heading of the page. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Shows, in place of content, why there is none, and what to do. */
export function NoteBox({ icon: Icon, title, isPage = false, children }: NoteBoxProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={styles.note}>
      <Icon size={18} className="muted" aria-hidden />
      <Title className={styles.title}>{title}</Title>
      {children}
    </div>
  );
}
