import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import styles from './list.module.css';

interface SearchBoxProps {
  /** What is searched in. */
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const settleMs = 300;

/** A filter by text, applied when the typing has settled. `/` goes there. */
export function SearchBox({ label, value = '', onChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useShortcuts({ '/': () => input.current?.focus() });
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: applied when the typing has settled, whatever else changes
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim() || undefined), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className={styles.search}>
      <Search size={14} aria-hidden />
      <span className="visually-hidden">Filter by {label}</span>
      <input
        ref={input}
        type="search"
        value={text}
        placeholder={label.charAt(0).toUpperCase() + label.slice(1)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  );
}
