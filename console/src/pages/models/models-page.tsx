import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PageFor } from '../../components/ui/permission.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import styles from './models.module.css';
import type { ModelsSearch, ModelTab } from './models-search.ts';

// Each tab is loaded when it is opened.
const AccessGroupsTab = lazy(() =>
  import('./access-groups-tab.tsx').then(({ AccessGroupsTab }) => ({ default: AccessGroupsTab })),
);
const AliasesTab = lazy(() => import('./aliases-tab.tsx').then(({ AliasesTab }) => ({ default: AliasesTab })));
const GroupsTab = lazy(() => import('./groups-tab.tsx').then(({ GroupsTab }) => ({ default: GroupsTab })));
const HealthTab = lazy(() => import('./health-tab.tsx').then(({ HealthTab }) => ({ default: HealthTab })));
const ResolveModel = lazy(() =>
  import('../../components/models/resolve-model.tsx').then(({ ResolveModel }) => ({ default: ResolveModel })),
);

const route = getRouteApi('/layout/models');

export const ModelsPage = () => (
  <PageFor needs="models:read" what="models">
    <Models />
  </PageFor>
);

function Models() {
  const { tab = 'groups', q, model, team, name, range, from, to } = route.useSearch();
  const navigate = useNavigate({ from: '/models' });
  const apply = (change: ModelsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace });
  const filter = { q, onFilter: (text: string | undefined, isContinued: boolean) => apply({ q: text }, isContinued) };
  const tabs: { value: ModelTab; label: string; content: React.ReactNode }[] = [
    { value: 'groups', label: 'Groups', content: <GroupsTab {...filter} /> },
    { value: 'aliases', label: 'Aliases', content: <AliasesTab {...filter} /> },
    { value: 'access', label: 'Access groups', content: <AccessGroupsTab {...filter} /> },
    { value: 'health', label: 'Health', content: <HealthTab range={{ range, from, to }} model={model} /> },
    {
      value: 'resolve',
      label: 'Resolve for a team',
      content: <ResolveModel team={team} name={name} onResolve={(of) => apply(of)} />,
    },
  ];
  return (
    <article className={styles.page}>
      <h1 className="visually-hidden">Models</h1>
      <Tabs
        label="Kinds"
        value={tab}
        onChange={(next) => apply({ tab: next, q: undefined, model: undefined }, true)}
        tabs={tabs.map((one) => ({ ...one, content: <Suspense>{one.content}</Suspense> }))}
      />
    </article>
  );
}
