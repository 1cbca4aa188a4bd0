import { Link } from '@tanstack/react-router';
import type { TeamKey } from '../../../../api/types.ts';
import type { FactList } from '../../../../components/ui/facts.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import { Time } from '../../../../components/ui/time.tsx';
import { sinceDayOf } from '../../../../url/time-range.ts';
import { limitText } from './key-columns.tsx';
import { isExpired } from './key-draft.ts';

/** A key beside the list, whose columns a narrow window has no room for. */
export const keyFacts = (key: TeamKey): FactList => [
  ['Name', key.name],
  ['Status', <Status key="status" of={isExpired(key) ? 'expired' : 'active'} />],
  [
    'Key',
    <span key="hint" className="mono">
      {key.key_hint}
    </span>,
  ],
  ['Ends', <Time key="end" at={key.expires_at} missing="it does not end" />],
  ['Last used', <Time key="used" at={key.last_used_at} missing="not used yet" />],
  ['Credits', limitText(key)],
  ['Created', <Time key="created" at={key.created_at} />],
];

export const keyLinks = ({ key_id, created_at }: TeamKey) => (
  <Link to="/jobs" search={{ key: key_id, ...sinceDayOf(created_at) }}>
    Jobs of this key
  </Link>
);
