import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Names the window after the page, so that tabs can be distinguished. */
export function useWindowTitle(): void {
  const crumbs = useMatches({ select: (matches) => matches.flatMap(({ staticData }) => staticData.crumb ?? []) });
  const title = [...crumbs.toReversed(), 'Gateway'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
