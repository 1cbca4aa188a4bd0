import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accessGroupsQuery } from '../../api/models.ts';
import styles from '../../components/models/name-list.module.css';
import { NameList } from '../../components/models/name-list.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelList, type NameFilter } from './model-list.tsx';
import { matches } from './models-search.ts';

export const AccessGroupsTab = ({ q, onFilter }: NameFilter) => (
  <ModelList
    q={q}
    onFilter={onFilter}
    kind="model-access-groups"
    noun="access group"
    query={useQuery(accessGroupsQuery)}
    nameOf={({ group_name }) => group_name}
    isShown={({ group_name, display_name, model_aliases, teams }) =>
      matches(q, group_name, display_name, ...model_aliases, ...teams)
    }
    content={({ model_aliases, teams }) => (
      <>
        {model_aliases.length > 0 ? (
          <NameList kind="aliases" names={model_aliases} label="Aliases" />
        ) : (
          <None>It has no alias.</None>
        )}
        {teams.length > 0 ? <TeamList teams={teams} /> : <None>No team has it.</None>}
      </>
    )}
    form={(group, onClose) => (
      <ModelForm
        kind="model-access-groups"
        noun="access group"
        name={group?.group_name}
        entry={group}
        linked={group?.model_aliases}
        onClose={onClose}
      />
    )}
    refused="Calls of its teams to aliases that they reach through no other group"
    purpose="An access group lets teams reach aliases."
  />
);

const TeamList = ({ teams }: { teams: readonly string[] }) => (
  <ul className={styles.names} aria-label="Teams">
    <li className="muted" aria-hidden>
      Teams
    </li>
    {teams.map((team) => (
      <li key={team}>
        <Link to="/teams/$teamId" params={{ teamId: team }} search={{ tab: 'models' }} className="mono">
          {team}
        </Link>
      </li>
    ))}
  </ul>
);
