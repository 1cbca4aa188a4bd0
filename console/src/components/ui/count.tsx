import { formatCompact, formatNumber } from '../../format/number.ts';
import { Missing } from './money.tsx';

/** A whole number; `short` is `12.4K` with the exact one on hover. */
export function Count({ of, short = false }: { of: number | null | undefined; short?: boolean }) {
  if (of === null || of === undefined) return <Missing />;
  const exact = formatNumber(of);
  return (
    <data value={of} title={short ? exact : undefined}>
      {short ? formatCompact(of) : exact}
    </data>
  );
}
