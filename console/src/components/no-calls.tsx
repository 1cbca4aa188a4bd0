import { countedUntil, isCountedAtAll } from '../format/counted-until.ts';
import { None } from './detail-page.tsx';
import { Time } from './time.tsx';

/** Until when the calls are counted that figures are made of. */
export const CountedUpTo = ({ complete_until }: { complete_until: string }) =>
  isCountedAtAll(complete_until) ? (
    <>
      counted up to <Time at={complete_until} />
    </>
  ) : (
    'none counted yet'
  );

/** In place of figures of calls. Calls that have just ended are not counted yet: with the moment until which they are. */
export function NoCalls(range: { to: string; complete_until: string }) {
  const until = countedUntil(range);
  if (until === undefined) return <None>No call ended in this range.</None>;
  if (!isCountedAtAll(until))
    return <None>Calls are not counted yet: maintenance, which a worker runs, has not begun.</None>;
  return (
    <None>
      No call that ended by <Time at={until} /> is in this range. Newer ones are not counted yet.
    </None>
  );
}
