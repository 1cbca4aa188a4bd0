import { ChevronDown, type LucideIcon } from 'lucide-react';
import type { Option } from './option.ts';
import styles from './select.module.css';

export interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  icon?: LucideIcon;
}

/** One of a few values, in a row of controls; the label is for screen readers. It is the select of the browser. */
export const Select = <Value extends string>({ label, value, options, onChange, icon: Icon }: SelectProps<Value>) => (
  <span className={styles.select}>
    {Icon && <Icon size={14} aria-hidden />}
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
    <ChevronDown size={13} className={styles.arrow} aria-hidden />
  </span>
);
