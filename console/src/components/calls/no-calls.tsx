import { countedUntil, isCountedAtAll } from '../../format/counted-until.ts';
import { None } from '../ui/detail-page.tsx';
import { Time } from '../ui/time.tsx';

/** The moment until which calls are counted. */
export const CountedUpTo = ({ complete_until }: { complete_until: string }) =>
  isCountedAtAll(complete_until) ? (
    <>
      counted up to <Time at={complete_until} />
    </>
  ) : (
    'none counted yet'
  );

/** Stands for figures of calls where none is counted, with the moment until which calls are counted. */
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
