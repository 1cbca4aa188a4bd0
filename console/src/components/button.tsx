import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: LucideIcon;
  /** Shown as a disabled button with this reason on hover. */
  unavailable?: string | false;
  ref?: React.Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', icon: Icon, unavailable, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || Boolean(unavailable)}
      title={unavailable || rest.title}
      className={classNames(styles.button, styles[look], !children && styles.square, className)}
    >
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </button>
  );
}
