import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import styles from './list.module.css';

interface SearchBoxProps {
  /** The fields that are searched. */
  label: string;
  value: string | undefined;
  /** `isContinued`: the value replaces the one that was applied just before, so that it is no step of its own in the browser's history. */
  onChange: (value: string | undefined, isContinued: boolean) => void;
}

const settleMs = 300;

/** A filter by text, applied when nothing was typed for 300 ms. `/` moves the focus to it. */
export function SearchBox({ label, value = '', onChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  /** The value that was applied last since the box has the focus. */
  const applied = useRef<string>(undefined);
  useShortcuts({ '/': () => input.current?.focus() });
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: applied when the typing has settled, whatever else changes
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => {
      const isContinued = applied.current === value;
      applied.current = text.trim();
      onChange(applied.current || undefined, isContinued);
    }, settleMs);
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
        onBlur={() => {
          applied.current = undefined;
        }}
        onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  );
}
