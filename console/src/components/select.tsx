import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import styles from './select.module.css';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  icon?: LucideIcon;
}

/** One of a few values, in a row of controls: its label is for those who do not see it. */
export function Select<Value extends string>({ label, value, options, onChange, icon: Icon }: SelectProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next) => next !== null && onChange(next as Value)} items={options} modal={false}>
      <Base.Trigger className={styles.trigger} aria-label={label}>
        {Icon && <Icon size={14} aria-hidden />}
        <Base.Value />
        <ChevronDown size={13} className="muted" aria-hidden />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.item}>
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Check size={13} aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
