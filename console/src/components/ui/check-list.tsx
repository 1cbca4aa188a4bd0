import styles from './check-list.module.css';

interface CheckListProps {
  label: string;
  options: readonly string[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** The text where there are no options. */
  none?: string;
}

/** Chooses several of a few names. */
export const CheckList = ({ label, options, values, onChange, none = 'There are none' }: CheckListProps) => (
  <fieldset className={styles.list}>
    <legend>{label}</legend>
    {options.length === 0 && <p className="muted">{none}</p>}
    {options.map((name) => (
      <label key={name}>
        <input
          type="checkbox"
          checked={values.includes(name)}
          onChange={(event) =>
            onChange(event.target.checked ? [...values, name] : values.filter((other) => other !== name))
          }
        />
        {name}
      </label>
    ))}
  </fieldset>
);
