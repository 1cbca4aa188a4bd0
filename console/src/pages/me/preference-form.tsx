import { Select } from '../../components/ui/select.tsx';
import { changePreferences, localZone, type Preferences, usePreferences } from '../../preferences/preferences.ts';
import styles from './me.module.css';

const themes = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] satisfies { value: Preferences['theme']; label: string }[];

const zones = [
  { value: 'local', label: `Of this computer (${localZone})` },
  ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];

/** The theme and the time zone, kept in this browser. */
export function PreferenceForm() {
  const { theme, zone } = usePreferences();
  return (
    <dl className={styles.preferences}>
      <dt>Theme</dt>
      <dd>
        <Select label="Theme" value={theme} options={themes} onChange={(next) => changePreferences({ theme: next })} />
      </dd>
      <dt>Time zone</dt>
      <dd>
        <Select
          label="Zone of all times"
          value={zone}
          options={zones}
          onChange={(next) => changePreferences({ zone: next })}
        />
      </dd>
      <dt>Keys</dt>
      <dd>
        <kbd>?</kbd> lists them
      </dd>
    </dl>
  );
}
