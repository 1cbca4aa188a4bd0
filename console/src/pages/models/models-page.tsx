import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { PageFor } from '../../components/permission.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { AccessGroupsTab } from './access-groups-tab.tsx';
import { AliasesTab } from './aliases-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { HealthTab } from './health-tab.tsx';
import styles from './models.module.css';
import type { ModelsSearch } from './models-search.ts';
import { ResolveModel } from './resolve-model.tsx';

const route = getRouteApi('/frame/models');

export const ModelsPage = () => (
  <PageFor needs="models:read" what="models">
    <Models />
  </PageFor>
);

function Models() {
  const { tab = 'groups', q, team, name } = route.useSearch();
  const navigate = useNavigate({ from: '/models' });
  const apply = (change: ModelsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const filter = { q, onFilter: (text: string | undefined) => apply({ q: text }) };
  return (
    <article className={styles.page}>
      <h1 className="visually-hidden">Models</h1>
      <Tabs
        label="Kinds"
        value={tab}
        onChange={(next) => apply({ tab: next, q: undefined })}
        tabs={[
          { value: 'groups', label: 'Groups', content: <GroupsTab {...filter} /> },
          { value: 'aliases', label: 'Aliases', content: <AliasesTab {...filter} /> },
          { value: 'access', label: 'Access groups', content: <AccessGroupsTab {...filter} /> },
          { value: 'health', label: 'Health', content: <HealthTab /> },
          {
            value: 'resolve',
            label: 'Resolve for a team',
            content: (
              <ResolveModel team={team} name={name} onAsk={(asked) => apply({ team: asked.team, name: asked.name })} />
            ),
          },
        ]}
      />
    </article>
  );
}
