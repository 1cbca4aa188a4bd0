import { TextField } from '../ui/field.tsx';

export interface AccountDraft {
  name: string;
  email: string;
  password: string;
}

export const noAccount: AccountDraft = { name: '', email: '', password: '' };

export const isWholeAccount = ({ name, email, password }: AccountDraft): boolean =>
  name.trim() !== '' && email.trim() !== '' && password !== '';

/** The body of the request. */
export const accountBody = ({ name, email, password }: AccountDraft) => ({
  display_name: name.trim(),
  email: email.trim(),
  password,
});

interface AccountFieldsProps {
  draft: AccountDraft;
  onChange: (draft: AccountDraft) => void;
  problems: Readonly<Record<string, string>>;
  /** Whether the account is that of the person who fills the form in. */
  isOwn: boolean;
}

/** The name, the e-mail and the password of a new account. */
export function AccountFields({ draft, onChange, problems, isOwn }: AccountFieldsProps) {
  const field = (name: keyof AccountDraft) => ({
    required: true,
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value }),
  });
  return (
    <>
      <TextField
        label={isOwn ? 'Your name' : 'Name'}
        maxLength={255}
        autoComplete={isOwn ? 'name' : 'off'}
        problem={problems.display_name}
        {...field('name')}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete={isOwn ? 'username' : 'off'}
        problem={problems.email}
        {...field('email')}
      />
      <TextField
        label="Password"
        type="password"
        minLength={8}
        autoComplete="new-password"
        hint={
          isOwn ? 'At least 8 characters' : 'At least 8 characters. Its owner can change it after the first sign-in'
        }
        problem={problems.password}
        {...field('password')}
      />
    </>
  );
}
