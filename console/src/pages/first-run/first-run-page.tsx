import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { CreatedTeam, ModelGroup, Team } from '../../api/types.ts';
import { OrganizationLink } from '../../components/organizations/organization-link.tsx';
import { TeamLink } from '../../components/teams/team-link.tsx';
import { DetailPage, Loading } from '../../components/ui/detail-page.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { Select } from '../../components/ui/select.tsx';
import { formatCount } from '../../format/number.ts';
import styles from './first-run.module.css';
import { KeyStep } from './key-step.tsx';
import { ModelForm } from './model-step.tsx';
import { ModelTest } from './model-test.tsx';
import { OrganizationForm } from './organization-step.tsx';
import { firstJobQuery, ReceiptStep } from './receipt-step.tsx';
import { Step, type StepState } from './step.tsx';
import { TeamForm } from './team-step.tsx';
import { type Progress, useProgress } from './use-progress.ts';

const route = getRouteApi('/layout/first-call');

export const FirstRunPage = () => (
  <PageFor needs="teams:write" what="the first call">
    <FirstRun />
  </PageFor>
);

function FirstRun() {
  const { team } = route.useSearch();
  const { progress, error, retry } = useProgress(team);
  return (
    <DetailPage kind="From an organization to a receipt" title="First call">
      {error && !progress && <ProblemNote error={error} onRetry={retry} />}
      {!progress && !error && <Loading what="what is there" />}
      {progress && <Steps progress={progress} />}
    </DetailPage>
  );
}

interface Happened {
  /** The model group was there when the page was opened, or has answered since. */
  isTested: boolean;
  hasCalled: boolean;
}

/** What is there is done. The first of the rest is next, and the call can be made from when the team has a model group. */
function statesOf({ organization, team, group }: Progress, { isTested, hasCalled }: Happened): StepState[] {
  const doneOr = (isDone: boolean, isNext: boolean, otherwise: StepState = 'later'): StepState =>
    isDone ? 'done' : isNext ? 'current' : otherwise;
  const mayCall = group ? 'ready' : 'later';
  return [
    doneOr(organization !== undefined, true),
    doneOr(team !== undefined, organization !== undefined),
    doneOr(group !== undefined, team !== undefined),
    doneOr(hasCalled, group !== undefined && isTested, mayCall),
    doneOr(hasCalled, false, mayCall),
  ];
}

function Steps({ progress }: { progress: Progress }) {
  const { organization, team, group } = progress;
  const [created, setCreated] = useState<CreatedTeam>();
  const [isTested, setTested] = useState(false);
  const had = useRef(group !== undefined);
  const called = useQuery(firstJobQuery(team?.team_id ?? '')).data;
  const states = statesOf(progress, {
    isTested: had.current || isTested,
    hasCalled: group !== undefined && Boolean(called),
  });
  const step = (position: number, title: string) => ({ position, title, state: states[position - 1]! });
  return (
    <ol className={styles.steps}>
      <Step
        {...step(1, 'Organization')}
        result={organization && <OrganizationLink id={organization.organization_id} />}
      >
        {!organization && <OrganizationForm />}
      </Step>
      <Step {...step(2, 'Team, with credits')} result={team && <TeamResult team={team} teams={progress.teams} />}>
        {!team && <NewTeam progress={progress} onCreated={setCreated} />}
      </Step>
      <Step {...step(3, 'Model group')} result={group && <GroupResult group={group} />}>
        <GroupContent progress={progress} isNext={!had.current} onTested={() => setTested(true)} />
      </Step>
      <Step {...step(4, 'Key, and a call with it')}>
        {team && (
          <KeyStep
            key={team.team_id}
            team={team}
            created={created?.team_id === team.team_id ? created.virtual_key : undefined}
          />
        )}
      </Step>
      <Step {...step(5, 'Receipt')}>{team && <ReceiptStep teamId={team.team_id} />}</Step>
    </ol>
  );
}

function NewTeam({ progress, onCreated }: { progress: Progress; onCreated: (team: CreatedTeam) => void }) {
  const { organization, groups } = progress;
  if (!organization) return null;
  return <TeamForm organizationId={organization.organization_id} group={groups[0]?.group_name} onCreated={onCreated} />;
}

const GroupResult = ({ group }: { group: ModelGroup }) => (
  <p>
    <Link to="/models" search={{ q: group.group_name }} className="mono">
      {group.group_name}
    </Link>{' '}
    <span className="muted">{group.models.map(({ model_name }) => model_name).join(', ')}</span>
  </p>
);

interface GroupContentProps {
  progress: Progress;
  isNext: boolean;
  onTested: () => void;
}

function GroupContent({ progress, isNext, onTested }: GroupContentProps) {
  const { team, group, groups } = progress;
  if (!team) return null;
  if (!group) return <ModelForm team={team} groups={groups.map(({ group_name }) => group_name)} />;
  const { group_name } = group;
  return <ModelTest key={group_name} group={group_name} isNext={isNext} onAnswered={onTested} />;
}

function TeamResult({ team, teams }: { team: Team; teams: readonly Team[] }) {
  const navigate = useNavigate();
  return (
    <p className={styles.result}>
      <TeamLink id={team.team_id} />
      <span className="muted">{formatCount(team.credits_remaining, 'credit')} left</span>
      {teams.length > 1 && (
        <Select
          label="Team of the call"
          value={team.team_id}
          options={teams.map(({ team_id }) => ({ value: team_id, label: team_id }))}
          onChange={(id) => void navigate({ to: '/first-call', search: { team: id }, replace: true })}
        />
      )}
    </p>
  );
}
