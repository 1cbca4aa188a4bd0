import { Link, useMatches } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Account } from './account.tsx';
import { type NavItem, navItems } from './nav-items.ts';
import styles from './sidebar.module.css';

/** How many pages the bar below has room for on a narrow screen, beside the button for the others. */
const inBar = 4;

/** The pages of this session: a sidebar on the left, or on a narrow screen a bar below, with the rest behind its last button. */
export function Sidebar() {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' });
  const items = navItems.filter(({ isFor }) => isFor(session));
  const rest = items.slice(inBar);
  return (
    <nav className={styles.sidebar} aria-label="Pages">
      <p className={styles.name}>
        <span className={styles.mark} aria-hidden />
        <span className={styles.word}>Gateway</span>
      </p>
      <ul className={styles.items}>
        {items.map((item, index) => (
          <li key={item.to} className={index < inBar ? undefined : styles.rest}>
            <Page item={item} />
          </li>
        ))}
        <li className={styles.more}>
          <button
            type="button"
            className={styles.item}
            aria-haspopup="dialog"
            data-current={rest.some(({ to }) => path === to || path.startsWith(`${to}/`))}
            onClick={() => setOpen(true)}
          >
            <Ellipsis size={16} aria-hidden />
            <span className={styles.word}>More</span>
          </button>
        </li>
      </ul>
      <Account />
      {isOpen && (
        <Dialog title="More" onClose={() => setOpen(false)}>
          <nav aria-label="More pages">
            <ul className={styles.sheet}>
              {rest.map((item) => (
                <li key={item.to}>
                  <Page item={item} onClick={() => setOpen(false)} />
                </li>
              ))}
            </ul>
          </nav>
          <div className={styles.sheetAccount}>
            <Account />
          </div>
        </Dialog>
      )}
    </nav>
  );
}

function Page({ item: { to, label, icon: Icon }, onClick }: { item: NavItem; onClick?: () => void }) {
  return (
    <Link
      to={to}
      className={styles.item}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      title={label}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
      <span className={styles.word}>{label}</span>
    </Link>
  );
}
