import { X } from 'lucide-react';
import styles from './chips.module.css';

export interface Chip {
  /** The filter and its value: `status: failed`. */
  name: string;
  value: string;
  onDrop: () => void;
}

/** Every filter that is active, each dropped by a click. */
export function Chips({ chips, onDropAll }: { chips: readonly Chip[]; onDropAll: () => void }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ name, value, onDrop }) => (
        <li key={`${name} ${value}`}>
          <button type="button" className={styles.chip} onClick={onDrop} title="Drop this filter">
            <span className="muted">{name}</span> {value}
            <X size={12} aria-hidden />
            <span className="visually-hidden">drop</span>
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className={styles.all} onClick={onDropAll}>
            Drop all
          </button>
        </li>
      )}
    </ul>
  );
}
