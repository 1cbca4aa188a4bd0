import { countedUntil } from '../format/counted-until.ts';
import { None } from './detail-page.tsx';
import { Time } from './time.tsx';

/** In place of figures of calls. Calls that have just ended are not counted yet: it says until when they are. */
export function NoCalls(range: { to: string; complete_until: string }) {
  const until = countedUntil(range);
  if (until === undefined) return <None>No call ended in this range.</None>;
  return (
    <None>
      No call that ended by <Time at={until} /> is in this range. Newer ones are not counted yet.
    </None>
  );
}
