import { TextField } from '../ui/field.tsx';

interface CodeFieldProps {
  value: string;
  problem?: string | undefined;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}

/** A code of the second factor. It is no number: it may begin with a zero, and a recovery code has letters. */
export const CodeField = (props: CodeFieldProps) => (
  <TextField
    label="Code"
    name="code"
    inputMode="text"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    required
    maxLength={64}
    hint="Six digits of your authenticator, or a recovery code"
    {...props}
  />
);
