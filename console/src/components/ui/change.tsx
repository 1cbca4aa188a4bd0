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
