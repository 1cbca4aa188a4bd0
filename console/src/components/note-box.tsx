import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './note.module.css';

interface NoteBoxProps {
  icon: LucideIcon;
  title: string;
  /** It stands in place of the whole page, so that its title is that of the page. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Why there is nothing to see where content would be, and what to do. */
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
