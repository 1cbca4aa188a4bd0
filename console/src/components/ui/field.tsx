import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import { Problem } from '../../api/problem.ts';
import styles from './field.module.css';

interface Labelled {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** Why the service has refused it. */
  problem?: string;
  onChange: (value: string) => void;
}

type InputProps = Labelled & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | keyof Labelled>;

export function TextField({ label, hint, problem, onChange, ...rest }: InputProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <input
        id={id}
        className={styles.input}
        aria-describedby={`${id}-hint`}
        aria-invalid={problem ? true : undefined}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
    </Field>
  );
}

type AreaProps = Labelled & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | keyof Labelled>;

export function TextArea({ label, hint, problem, onChange, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <textarea
        id={id}
        className={styles.input}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
    </Field>
  );
}

function Field({
  id,
  label,
  hint,
  problem,
  children,
}: Omit<Labelled, 'onChange'> & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <p id={`${id}-hint`} className={problem ? styles.problem : styles.hint}>
        {problem ?? hint}
      </p>
    </div>
  );
}

/** Why a form was not accepted, above its buttons. */
export const FormProblem = ({ error }: { error: Error | null }) =>
  error && (
    <p className={styles.formProblem} role="alert">
      {error.message}
      {error instanceof Problem && error.requestId && <span className="muted"> (request {error.requestId})</span>}
    </p>
  );
