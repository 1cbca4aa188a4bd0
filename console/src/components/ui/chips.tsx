import { X } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import styles from './chips.module.css';
import { useFocusReturn } from './use-focus-return.ts';

export interface Chip {
  /** The filter and its value: `status: failed`. */
  name: string;
  value: string;
  onDrop: () => void;
}

/** Every filter that is active, each dropped by a click. */
export function Chips({ chips, onDropAll }: { chips: readonly Chip[]; onDropAll: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  return (
    <ul ref={list} className={styles.chips} aria-label="Active filters">
      {chips.map((chip) => (
        <ChipItem key={`${chip.name} ${chip.value}`} chip={chip} list={list} />
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className={styles.all} onClick={onDropAll}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
}

/** The focus of a chip that is dropped goes to the first one that is left. */
function ChipItem({ chip: { name, value, onDrop }, list }: { chip: Chip; list: RefObject<HTMLUListElement | null> }) {
  const item = useRef<HTMLLIElement>(null);
  useFocusReturn(item, () => list.current?.querySelector('button'));
  return (
    <li ref={item}>
      <button type="button" className={styles.chip} onClick={onDrop} title="Remove this filter">
        <span className="muted">{name}</span> {value}
        <X size={12} aria-hidden />
        <span className="visually-hidden">remove</span>
      </button>
    </li>
  );
}
