import { useQuery } from '@tanstack/react-query';
import { modelAliasesQuery } from '../../api/models.ts';
import type { ModelAlias } from '../../api/types.ts';
import { memberColumns } from '../../components/models/member-columns.tsx';
import { NameList } from '../../components/models/name-list.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelList, type NameFilter } from './model-list.tsx';
import { matches } from './models-search.ts';

/** The prices of an alias are those of its fallbacks too. */
const toMembers = ({ model_name, fallbacks, ...prices }: ModelAlias) =>
  [model_name, ...fallbacks].map((model, position) => ({ ...prices, model, position }));

export const AliasesTab = ({ q, onFilter }: NameFilter) => (
  <ModelList
    q={q}
    onFilter={onFilter}
    kind="model-aliases"
    noun="alias"
    plural="aliases"
    query={useQuery(modelAliasesQuery)}
    nameOf={({ alias_name }) => alias_name}
    isShown={({ alias_name, display_name, model_name }) => matches(q, alias_name, display_name, model_name)}
    content={(alias) => (
      <>
        <DataTable
          id="alias-members"
          label={`Models of ${alias.alias_name}`}
          isFlat
          columns={memberColumns}
          rows={toMembers(alias)}
          rowId={({ model, position }) => `${position} ${model}`}
          empty={null}
        />
        {alias.access_groups.length > 0 ? (
          <NameList kind="access" names={alias.access_groups} label="Reached through" />
        ) : (
          <None>In no access group: no team reaches it.</None>
        )}
      </>
    )}
    form={(alias, onClose) => (
      <ModelForm
        kind="model-aliases"
        noun="alias"
        name={alias?.alias_name}
        entry={alias}
        members={alias && toMembers(alias).map((member) => ({ ...member, model_name: member.model }))}
        linked={alias?.access_groups}
        onClose={onClose}
      />
    )}
    refused="Calls with this name"
    purpose="An alias names one model and its fallbacks. Teams reach it through access groups."
  />
);
