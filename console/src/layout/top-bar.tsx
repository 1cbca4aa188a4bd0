import { useMatches } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Permission } from '../components/ui/permission.tsx';
import { mod } from '../shortcuts/known-shortcuts.ts';
import { LiveIndicator } from './live-indicator.tsx';
import { Breadcrumb } from './navigation/breadcrumb.tsx';
import { RangePicker } from './range-picker.tsx';
import styles from './top-bar.module.css';
import { ZonePicker } from './zone-picker.tsx';

/** The breadcrumb, the search, and what applies to the whole page: its time range, the time zone and how it receives changes. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const hasRange = useMatches({
    select: (matches) => {
      const { staticData, search } = matches.at(-1)!;
      return typeof staticData.hasRange === 'function' ? staticData.hasRange(search) : staticData.hasRange;
    },
  });
  return (
    <header className={styles.bar}>
      <Breadcrumb />
      <div className={styles.controls}>
        <Permission needs="jobs:read">
          <button type="button" className={styles.search} onClick={onSearch}>
            <Search size={14} aria-hidden />
            <span className={styles.word}>Search</span>
            <kbd className={styles.word}>{mod} K</kbd>
          </button>
        </Permission>
        {hasRange && <RangePicker isInDays={hasRange === 'days'} />}
        <ZonePicker />
        <Permission needs="events:read">
          <LiveIndicator />
        </Permission>
      </div>
    </header>
  );
}
