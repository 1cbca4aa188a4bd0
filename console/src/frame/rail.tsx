import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Account } from './account.tsx';
import { navItems } from './nav-items.ts';
import styles from './rail.module.css';

/** The pages of this session: a rail on the left, or a bar below on a narrow screen. */
export function Rail() {
  const session = useSession();
  return (
    <nav className={styles.rail} aria-label="Pages">
      <p className={styles.name}>
        <span className={styles.mark} aria-hidden />
        <span className={styles.word}>Gateway</span>
      </p>
      <ul className={styles.items}>
        {navItems
          .filter(({ isFor }) => isFor(session))
          .map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles.item}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
                title={label}
              >
                <Icon size={16} aria-hidden />
                <span className={styles.word}>{label}</span>
              </Link>
            </li>
          ))}
      </ul>
      <Account />
    </nav>
  );
}
