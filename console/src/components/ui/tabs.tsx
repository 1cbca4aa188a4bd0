import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps<Value extends string> {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Only the content of the selected tab is rendered, so that it requests nothing before it is opened. */
export const Tabs = <Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) => (
  <Base.Root value={value} onValueChange={(next) => onChange(next as Value)}>
    <Base.List className={styles.list} aria-label={label}>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map((tab) => (
      <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
        {tab.content}
      </Base.Panel>
    ))}
  </Base.Root>
);
