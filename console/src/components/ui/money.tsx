import { exactUsd, shortUsd } from '../../format/money.ts';

/** An amount in USD, short, with the exact one on hover. */
export function Money({ usd }: { usd: number | null | undefined }) {
  if (usd === null || usd === undefined) return <Missing />;
  return (
    <data value={usd} title={`${exactUsd(usd)} exactly`}>
      {shortUsd(usd)}
    </data>
  );
}

/** Stands where there is no figure: it is not a zero. */
export function Missing({ why = 'none' }: { why?: string }) {
  return (
    <span className="muted" title={why}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">{why}</span>
    </span>
  );
}
