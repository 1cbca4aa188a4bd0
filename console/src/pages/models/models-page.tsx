import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { DetailPage } from '../../components/detail-page.tsx';
import { SearchBox } from '../../components/list/search-box.tsx';
import { PageFor } from '../../components/permission.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { AccessGroupsTab } from './access-groups-tab.tsx';
import { AliasesTab } from './aliases-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { HealthTab } from './health-tab.tsx';
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
  const hasFilter = tab !== 'health' && tab !== 'resolve';
  return (
    <DetailPage
      kind={null}
      title="Models"
      actions={hasFilter && <SearchBox label="name" value={q} onChange={(text) => apply({ q: text })} />}
    >
      <Tabs
        label="Kinds"
        value={tab}
        onChange={(next) => apply({ tab: next, q: undefined })}
        tabs={[
          { value: 'groups', label: 'Groups', content: <GroupsTab q={q} /> },
          { value: 'aliases', label: 'Aliases', content: <AliasesTab q={q} /> },
          { value: 'access', label: 'Access groups', content: <AccessGroupsTab q={q} /> },
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
    </DetailPage>
  );
}
