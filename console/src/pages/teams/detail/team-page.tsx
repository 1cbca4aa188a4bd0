import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import { useMay } from '../../../api/session.ts';
import { burnRateQuery, teamQuery } from '../../../api/teams.ts';
import type { Changes, TeamWithKey } from '../../../api/types.ts';
import { DetailPage, Loading } from '../../../components/ui/detail-page.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { PageProblem } from '../../../components/ui/page-problem.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { Tabs } from '../../../components/ui/tabs.tsx';
import { useChanges, usePollInterval } from '../../../live/live.ts';
import { useThrottledFigures } from '../../../live/use-figures.ts';
import { TeamActions } from './team-actions.tsx';
import { TeamFigures } from './team-figures.tsx';
import type { TeamTab } from './team-tabs.ts';

// Each tab is loaded when it is opened: only one of them is looked at first.
const CreditsTab = lazy(() => import('./credits-tab.tsx').then(({ CreditsTab }) => ({ default: CreditsTab })));
const JobsTab = lazy(() => import('./jobs-tab.tsx').then(({ JobsTab }) => ({ default: JobsTab })));
const KeysTab = lazy(() => import('./keys/keys-tab.tsx').then(({ KeysTab }) => ({ default: KeysTab })));
const ModelsTab = lazy(() => import('./models-tab.tsx').then(({ ModelsTab }) => ({ default: ModelsTab })));
const SettingsTab = lazy(() => import('./settings-tab.tsx').then(({ SettingsTab }) => ({ default: SettingsTab })));
const TeamActivity = lazy(() => import('./team-activity.tsx').then(({ TeamActivity }) => ({ default: TeamActivity })));
const WebhooksTab = lazy(() => import('./webhooks-tab.tsx').then(({ WebhooksTab }) => ({ default: WebhooksTab })));

const route = getRouteApi('/layout/teams/$teamId');

export const TeamPage = () => (
  <PageFor needs="teams:read" what="teams">
    <Team />
  </PageFor>
);

function Team() {
  const { teamId } = route.useParams();
  const cache = useQueryClient();
  const team = useQuery({ ...teamQuery(teamId), refetchInterval: usePollInterval(true) });
  const burnRate = useQuery(burnRateQuery(teamId));
  const refresh = useThrottledFigures(() => cache.invalidateQueries({ queryKey: ['team', teamId] }));
  const onChanges = useCallback(
    ({ teams = [] }: Changes) => {
      if (teams.some(({ team_id }) => team_id === teamId)) refresh();
    },
    [teamId, refresh],
  );
  useChanges(onChanges, refresh);

  if (!team.data && team.error) {
    const page = { noun: 'team', id: teamId, list: '/teams' } as const;
    return <PageProblem error={team.error} onRetry={() => void team.refetch()} {...page} />;
  }
  if (!team.data) return <Loading what="the team" />;
  const { team_alias, organization_id, status } = team.data;
  return (
    <DetailPage
      kind={
        <>
          <Status of={status} />
          <span>
            Team of{' '}
            <Link to="/organizations/$organizationId" params={{ organizationId: organization_id }}>
              {organization_id}
            </Link>
          </span>
        </>
      }
      title={team_alias ?? teamId}
      id={<Id id={teamId} whole />}
      actions={<TeamActions team={team.data} />}
    >
      <TeamFigures team={team.data} burnRate={burnRate} />
      <TeamTabs team={team.data} />
    </DetailPage>
  );
}

function TeamTabs({ team }: { team: TeamWithKey }) {
  const { tab = 'jobs' } = route.useSearch();
  const navigate = useNavigate({ from: '/teams/$teamId' });
  const mayAudit = useMay('audit:read');
  const tabs: { value: TeamTab; label: string; content: React.ReactNode }[] = [
    { value: 'jobs', label: 'Jobs', content: <JobsTab team={team} /> },
    { value: 'credits', label: 'Credits', content: <CreditsTab team={team} /> },
    { value: 'models', label: 'Models', content: <ModelsTab team={team} /> },
    { value: 'webhooks', label: 'Webhooks', content: <WebhooksTab teamId={team.team_id} /> },
    { value: 'keys', label: 'Keys', content: <KeysTab team={team} /> },
    { value: 'settings', label: 'Settings', content: <SettingsTab team={team} key={team.updated_at} /> },
  ];
  if (mayAudit) tabs.push({ value: 'activity', label: 'Activity', content: <TeamActivity teamId={team.team_id} /> });
  return (
    <Tabs
      label="Parts of the team"
      tabs={tabs.map((one) => ({ ...one, content: <Suspense>{one.content}</Suspense> }))}
      value={tab}
      onChange={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
    />
  );
}
