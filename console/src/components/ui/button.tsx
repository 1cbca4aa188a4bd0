import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: LucideIcon;
  /** The reason why the button does nothing now. It looks disabled but can have the focus, so that the reason is reached by keys. */
  unavailable?: string | false;
  ref?: React.Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', icon: Icon, unavailable, className, children, ...rest }: ButtonProps) {
  const isUnavailable = Boolean(unavailable);
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isUnavailable || rest['aria-disabled']}
      title={unavailable || rest.title}
      onClick={isUnavailable ? (event) => event.preventDefault() : rest.onClick}
      className={classNames(styles.button, styles[look], !children && styles.square, className)}
    >
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </button>
  );
}
