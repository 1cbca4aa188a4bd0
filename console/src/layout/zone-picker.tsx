import { Globe } from 'lucide-react';
import { Select } from '../components/ui/select.tsx';
import { changePreferences, localZone, usePreferences } from '../preferences/preferences.ts';

/** The zone of every time on every page. Money is in UTC days, which is stated where it is shown. */
export function ZonePicker() {
  const { zone } = usePreferences();
  const isUtcHere = localZone === 'UTC';
  const options = [
    { value: 'local', label: isUtcHere ? 'UTC' : cityOf(localZone) },
    ...(isUtcHere ? [] : [{ value: 'UTC', label: 'UTC' }]),
    ...(zone === 'local' || zone === 'UTC' ? [] : [{ value: zone, label: cityOf(zone) }]),
  ];
  const shown = isUtcHere && zone === 'UTC' ? 'local' : zone;
  return (
    <Select
      label="Time zone"
      icon={Globe}
      value={shown}
      options={options}
      onChange={(zone) => changePreferences({ zone })}
    />
  );
}

/** `Europe/Berlin` is `Berlin`. */
const cityOf = (zone: string): string => zone.split('/').at(-1)!.replaceAll('_', ' ');
