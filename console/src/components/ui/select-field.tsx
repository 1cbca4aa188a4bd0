import { useId } from 'react';
import styles from './field.module.css';
import type { Option } from './option.ts';

interface SelectFieldProps<Value extends string> {
  label: string;
  hint?: string;
  problem?: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

/** One of a few values, in a form. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, problem, value, options, onChange } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className={problem ? styles.problem : styles.hint}>
        {problem ?? hint}
      </p>
    </div>
  );
}
