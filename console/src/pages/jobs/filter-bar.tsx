import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { AddFilter } from './add-filter.tsx';
import { type JobSearch, jobStatuses } from './job-search.ts';
import styles from './jobs.module.css';

interface FilterBarProps {
  search: JobSearch;
  onChange: (change: Partial<JobSearch>) => void;
}

const settleMs = 300;

/** The filters that are used most: the beginning of an id, and the states. All others are behind a button. */
export function FilterBar({ search, onChange }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search.q ?? '');
  useKeys({ '/': () => input.current?.focus() });
  useEffect(() => setText(search.q ?? ''), [search.q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: applied when the typing has settled, whatever else changes
  useEffect(() => {
    if (text.trim() === (search.q ?? '')) return;
    const timer = setTimeout(() => onChange({ q: text.trim() || undefined }), settleMs);
    return () => clearTimeout(timer);
  }, [text]);

  const toggle = (status: (typeof jobStatuses)[number]) => {
    const before = search.status ?? [];
    const next = before.includes(status) ? before.filter((one) => one !== status) : [...before, status];
    onChange({ status: next.length > 0 ? next : undefined });
  };
  return (
    <search className={styles.filters}>
      <label className={styles.search}>
        <Search size={14} aria-hidden />
        <span className="visually-hidden">Filter by the beginning of an id, external id, user or type</span>
        <input
          ref={input}
          type="search"
          value={text}
          placeholder="Id, external id, user or type"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
        />
        <kbd aria-hidden>/</kbd>
      </label>
      <fieldset className={styles.states}>
        <legend className="visually-hidden">Status</legend>
        {jobStatuses.map((status) => (
          <button
            key={status}
            type="button"
            className={styles.state}
            aria-pressed={search.status?.includes(status) ?? false}
            onClick={() => toggle(status)}
          >
            {status.replace('_', ' ')}
          </button>
        ))}
      </fieldset>
      <AddFilter search={search} onChange={onChange} />
    </search>
  );
}
