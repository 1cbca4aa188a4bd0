import { useQuery } from '@tanstack/react-query';
import { modelGroupsQuery } from '../../api/models.ts';
import type { ModelGroup } from '../../api/types.ts';
import { memberColumns } from '../../components/models/member-columns.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelList, type NameFilter } from './model-list.tsx';
import { matches } from './models-search.ts';

const toMembers = ({ models }: ModelGroup) =>
  models.map(({ model_name, is_active, ...prices }, position) => ({
    ...prices,
    model: model_name,
    position,
    isActive: is_active,
  }));

export const GroupsTab = ({ q, onFilter }: NameFilter) => (
  <ModelList
    q={q}
    onFilter={onFilter}
    kind="model-groups"
    noun="model group"
    query={useQuery(modelGroupsQuery)}
    nameOf={({ group_name }) => group_name}
    isShown={({ group_name, display_name, models }) =>
      matches(q, group_name, display_name, ...models.map(({ model_name }) => model_name))
    }
    content={(group) => (
      <DataTable
        id="members"
        label={`Models of ${group.group_name}`}
        isFlat
        columns={memberColumns}
        rows={toMembers(group)}
        rowId={({ model }) => model}
        empty={<None>It has no model: a call with this name is refused.</None>}
      />
    )}
    form={(group, onClose) => (
      <ModelForm
        kind="model-groups"
        noun="model group"
        name={group?.group_name}
        entry={group}
        members={group?.models}
        onClose={onClose}
      />
    )}
    refused="Calls with this name"
    purpose="A model group names a primary model and its fallbacks. Teams are given groups, and calls name them."
  />
);
