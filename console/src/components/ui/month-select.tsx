import { CalendarDays } from 'lucide-react';
import { formatTick } from '../../format/time.ts';
import { lastMonths, thisMonth } from '../../url/month.ts';
import { Select } from './select.tsx';

const labelOf = (month: string): string => `${formatTick(new Date(`${month}-01T00:00:00Z`), 'UTC', 'month')} (UTC)`;

/** One of the last twelve months, or the one of the link. */
export function MonthSelect({ value, onChange }: { value: string; onChange: (month: string | undefined) => void }) {
  const months = lastMonths();
  const options = (months.includes(value) ? months : [...months, value]).map((month) => ({
    value: month,
    label: labelOf(month),
  }));
  return (
    <Select
      label="Month"
      icon={CalendarDays}
      value={value}
      options={options}
      onChange={(month) => onChange(month === thisMonth() ? undefined : month)}
    />
  );
}
