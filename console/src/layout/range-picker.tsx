import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarRange } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Select } from '../components/ui/select.tsx';
import { formatMoment, formatTick } from '../format/time.ts';
import { useZone } from '../preferences/preferences.ts';
import { lastMonths, monthOfRange, rangeOfMonth } from '../url/month.ts';
import { defaultRange, lastMoment, type RangeName, rangeNames, ranges } from '../url/time-range.ts';

const RangeDialog = lazy(() => import('./range-dialog.tsx').then(({ RangeDialog }) => ({ default: RangeDialog })));

const monthLabel = (month: string): string => `${formatTick(new Date(`${month}-01T00:00:00Z`), 'UTC', 'month')} (UTC)`;

/** The time range of the page, in its URL. A chosen one is kept by links to other pages. `isInDays`: the page shows figures of whole days of UTC. */
export function RangePicker({ isInDays }: { isInDays: boolean }) {
  const { range, from, to } = useSearch({ from: '/layout' });
  const navigate = useNavigate();
  const zone = useZone();
  const [isChoosing, setChoosing] = useState(false);
  const isFixed = Boolean(from || to);
  const format = (moment: string) =>
    isInDays ? `${formatTick(new Date(moment), 'UTC', 'day')} (UTC)` : formatMoment(moment, zone);
  const between = `${from ? format(from) : 'the start'} – ${to ? format(new Date(lastMoment(to)).toISOString()) : 'now'}`;
  const month = monthOfRange({ from, to });
  // The present month and the last one have names of their own.
  const earlier = lastMonths().slice(2);
  const months = month && !earlier.includes(month) ? [month, ...earlier] : earlier;
  const options = [
    ...rangeNames.map((name) => ({ value: name as string, label: ranges[name].label })),
    ...months.map((month) => ({ value: month, label: monthLabel(month) })),
    { value: 'fixed', label: isFixed && !month ? between : 'Custom range …' },
  ];
  const choose = (value: string) => {
    if (value === 'fixed') return setChoosing(true);
    if (months.includes(value))
      return void navigate({ to: '.', search: (before) => ({ ...before, range: undefined, ...rangeOfMonth(value) }) });
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
        value={month ?? (isFixed ? 'fixed' : (range ?? defaultRange))}
        options={options}
        onChange={choose}
      />
      <Suspense>{isChoosing && <RangeDialog from={from} to={to} onClose={() => setChoosing(false)} />}</Suspense>
    </>
  );
}
