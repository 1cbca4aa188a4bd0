import { formatPercent } from '../../format/number.ts';

interface ChangeProps {
  value: number | null;
  previous: number | null;
  /** Whether the figure is a part, 0 to 1, whose change is in points. */
  isRate?: boolean;
}

/** How a figure has changed since the period of the same length before. */
export function Change({ value, previous, isRate = false }: ChangeProps) {
  return (
    <span title="Compared with the period of the same length before">{changeText({ value, previous, isRate })}</span>
  );
}

function changeText({ value, previous, isRate }: ChangeProps): string {
  if (value === null || previous === null) return 'nothing to compare with';
  if (isRate) return `${signed(value - previous, (part) => `${(100 * part).toFixed(1)} pts`)} vs. previous period`;
  if (previous === 0) return value === 0 ? 'as in the previous period' : 'none in the previous period';
  return `${signed(value / previous - 1, formatPercent)} vs. previous period`;
}

const signed = (change: number, format: (size: number) => string): string =>
  `${change < 0 ? '−' : '+'}${format(Math.abs(change))}`;

/** The same for a column of a table: only the part by which it has changed. */
export const ShortChange = ({ value, previous }: { value: number | null; previous: number | null }) =>
  value === null || previous === null || previous === 0 ? (
    <span className="muted">{previous === 0 && value !== 0 ? 'new' : '–'}</span>
  ) : (
    <span>{signed((value - previous) / Math.abs(previous), formatPercent)}</span>
  );
