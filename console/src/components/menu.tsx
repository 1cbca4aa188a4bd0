import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import styles from './select.module.css';

/** A menu that opens from a button. */
export const Menu = ({ trigger, children }: { trigger: ReactElement; children: ReactNode }) => (
  <Base.Root modal={false}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} align="end" className={styles.positioner}>
        <Base.Popup className={styles.popup}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

export const MenuItem = ({ icon: Icon, onClick, children }: { icon?: LucideIcon; onClick: () => void; children: ReactNode }) => (
  <Base.Item className={styles.item} onClick={onClick}>
    <span>{children}</span>
    {Icon && <Icon size={14} className="muted" aria-hidden />}
  </Base.Item>
);

export interface MenuCheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** Stays open, so that several can be changed at once. */
export const MenuCheck = ({ checked, onChange, children }: MenuCheckProps) => (
  <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange} closeOnClick={false}>
    {children}
    <Base.CheckboxItemIndicator>
      <Check size={13} aria-hidden />
    </Base.CheckboxItemIndicator>
  </Base.CheckboxItem>
);
