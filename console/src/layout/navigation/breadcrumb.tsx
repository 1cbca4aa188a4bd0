import { Link, useMatches } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { shortId } from '../../components/ui/id.tsx';
import styles from './breadcrumb.module.css';
import { navItems } from './nav-items.ts';

/** The page, and for a page about one thing the list that it is in, with its filters where the URL has them, if the reader may see it. */
export function Breadcrumb() {
  const session = useSession();
  const matches = useMatches();
  const match = matches.at(-1);
  if (!match) return null;
  const id = Object.values(match.params as Record<string, string>)[0];
  const list = navItems.find(
    ({ to, isFor }) => match.pathname.startsWith(`${to}/`) && id !== undefined && isFor(session),
  );
  return (
    <nav aria-label="Breadcrumb" className={styles.crumbs}>
      <ol>
        {list && (
          <li>
            <Link to={list.to} search={match.staticData.listOf?.(match.search)}>
              {list.label}
            </Link>
            <ChevronRight size={13} className="muted" aria-hidden />
          </li>
        )}
        <li aria-current="page">{id ? <span className="mono">{shortId(id)}</span> : match.staticData.crumb}</li>
      </ol>
    </nav>
  );
}
