import { useMatches } from '@tanstack/react-router';
import { Radio, RefreshCw } from 'lucide-react';
import { useLiveState } from '../live/live.ts';
import styles from './live-indicator.module.css';

const words = {
  connecting: ['Connecting', 'Connecting to the event stream'],
  live: ['Live', 'Changes are shown as they happen'],
  polling: ['Every 5 s', 'The event stream is interrupted: the page polls every five seconds'],
  paused: ['Paused', 'Nothing is requested while the page is hidden'],
} as const;

/** Shows how the page receives changes: by the stream or by a poll. On a page that does not follow all of what it shows it is absent. */
export function LiveIndicator() {
  const state = useLiveState();
  const follows = useMatches({ select: (matches) => matches.at(-1)?.staticData.follows });
  if (follows === undefined) return null;
  const [word, sentence] =
    follows === true || state === 'paused'
      ? words[state]
      : [`Every ${follows} s`, `The page is read again every ${follows} seconds`];
  const Icon = state === 'polling' ? RefreshCw : Radio;
  return (
    <span className={styles.indicator} data-state={state} title={sentence} role="status">
      <Icon size={14} aria-hidden />
      <span>{word}</span>
    </span>
  );
}
