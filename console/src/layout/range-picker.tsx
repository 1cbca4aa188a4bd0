import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { Select } from '../components/ui/select.tsx';
import { formatMoment } from '../format/time.ts';
import { useZone } from '../preferences/preferences.ts';
import { defaultRange, type RangeName, rangeNames, ranges } from '../url/time-range.ts';
import { RangeDialog } from './range-dialog.tsx';

/** The time range of the page, in its URL: every link to another page keeps it. */
export function RangePicker() {
  const { range, from, to } = useSearch({ from: '/layout' });
  const navigate = useNavigate();
  const zone = useZone();
  const [isChoosing, setChoosing] = useState(false);
  const isFixed = Boolean(from || to);
  const between = `${from ? formatMoment(from, zone) : 'the start'} – ${to ? formatMoment(to, zone) : 'now'}`;
  const options = [
    ...rangeNames.map((name) => ({ value: name as string, label: ranges[name].label })),
    { value: 'fixed', label: isFixed ? between : 'From … to …' },
  ];
  const choose = (value: string) => {
    if (value === 'fixed') return setChoosing(true);
    void navigate({
      to: '.',
      search: (before) => ({ ...before, range: value as RangeName, from: undefined, to: undefined }),
    });
  };
  return (
    <>
      <Select
        label="Time range"
        icon={CalendarRange}
        value={isFixed ? 'fixed' : (range ?? defaultRange)}
        options={options}
        onChange={choose}
      />
      {isChoosing && <RangeDialog from={from} to={to} onClose={() => setChoosing(false)} />}
    </>
  );
}
