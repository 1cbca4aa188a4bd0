import { Link } from '@tanstack/react-router';
import styles from './name-list.module.css';

interface NameListProps {
  kind: 'groups' | 'aliases' | 'access';
  names: readonly string[];
  label?: string;
}

/** Names of model groups, aliases or access groups, each a link to it. */
export const NameList = ({ kind, names, label }: NameListProps) => (
  <ul className={styles.names} aria-label={label}>
    {label && (
      <li className="muted" aria-hidden>
        {label}
      </li>
    )}
    {names.map((name) => (
      <li key={name}>
        <Link to="/models" search={{ tab: kind, q: name }} className="mono">
          {name}
        </Link>
      </li>
    ))}
  </ul>
);
