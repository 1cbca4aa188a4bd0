import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { minLength, searchQuery } from '../../api/search.ts';
import { useSession } from '../../api/session.ts';
import { changePreferences } from '../../preferences/preferences.ts';
import { navItems } from '../navigation/nav-items.ts';
import { addressOf } from './address-of.ts';
import { pageActions } from './page-actions.ts';

export interface Entry {
  key: string;
  kind: string;
  label: string;
  id?: string;
  detail?: string | null;
  open: () => void;
}

const globalActions: readonly { label: string; run: () => void }[] = [
  { label: 'Theme: light', run: () => changePreferences({ theme: 'light' }) },
  { label: 'Theme: dark', run: () => changePreferences({ theme: 'dark' }) },
  { label: 'Theme: as the system', run: () => changePreferences({ theme: 'system' }) },
  { label: 'Times in UTC', run: () => changePreferences({ zone: 'UTC' }) },
  { label: 'Times in the zone of this computer', run: () => changePreferences({ zone: 'local' }) },
];

/** What the text finds: things of the service first, then actions of the page, pages, and actions that are possible everywhere. */
export function useEntries(query: string): Entry[] {
  const session = useSession();
  const router = useRouter();
  const { data } = useQuery(searchQuery(query));
  const [onPage] = useState(pageActions);
  const goTo = (href: string) => router.history.push(router.buildLocation({ to: href as '/' }).href);
  const isNamed = ({ label }: { label: string }) => label.toLowerCase().includes(query.toLowerCase());
  const hits = (query.length < minLength ? [] : (data?.results ?? [])).flatMap((result) => {
    const href = addressOf(result);
    return href
      ? [
          {
            key: `${result.type} ${result.id}`,
            kind: result.type.replaceAll('_', ' '),
            label: result.label,
            id: result.id === result.label ? undefined : result.id,
            detail: result.detail,
            open: () => goTo(href),
          },
        ]
      : [];
  });
  const actions = (some: readonly { label: string; run: () => void }[], place: string): Entry[] =>
    some
      .filter(isNamed)
      .map(({ label, run }, index) => ({ key: `${place} ${index}`, kind: 'action', label, open: run }));
  const pages = navItems
    .filter((item) => item.isFor(session) && isNamed(item))
    .map(({ to, label }) => ({ key: to, kind: 'page', label, open: () => goTo(to) }));
  return [...hits, ...pages, ...actions(onPage, 'here'), ...actions(globalActions, 'anywhere')];
}
