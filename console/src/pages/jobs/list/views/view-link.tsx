import { Link } from '@tanstack/react-router';
import { useZone } from '../../../../preferences/preferences.ts';
import { describeList } from '../../describe-list.ts';
import { readView, type SavedView } from './saved-views.ts';
import styles from './views.module.css';

interface ViewLinkProps {
  view: SavedView;
  isCurrent: boolean;
  onOpen: () => void;
}

/** A view is a URL: it can be opened in another tab, and copied. */
export function ViewLink({ view, isCurrent, onOpen }: ViewLinkProps) {
  const list = readView(view.url);
  const zone = useZone();
  return (
    <Link
      to="/jobs"
      search={list}
      className={styles.link}
      aria-current={isCurrent ? 'true' : undefined}
      activeProps={{ 'aria-current': isCurrent ? 'true' : undefined }}
      onClick={onOpen}
    >
      <span className={styles.name}>{view.name}</span>
      <span className={styles.note}>{describeList(list, zone)}</span>
    </Link>
  );
}
