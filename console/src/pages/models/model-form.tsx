import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessGroupsQuery, createModel, type ModelKind, modelAliasesQuery, updateModel } from '../../api/models.ts';
import { CheckList } from '../../components/check-list.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { type Draft, draftsOf, MemberFields, type StoredMember } from './member-fields.tsx';
import { bodyOf, nameFieldOf } from './model-body.ts';

export interface ModelFormProps {
  kind: ModelKind;
  noun: string;
  /** Undefined for a new one. */
  name: string | undefined;
  entry: { display_name: string | null; description: string | null; status: 'active' | 'inactive' } | undefined;
  members?: readonly StoredMember[];
  /** The access groups of an alias, or the aliases of an access group. */
  linked?: readonly string[];
  onClose: () => void;
}

/** A model group, an alias or an access group: the fields that they share, their models, and what they are linked with. */
export function ModelForm({ kind, noun, name, entry, members = [], linked = [], onClose }: ModelFormProps) {
  const [newName, setNewName] = useState('');
  const [display, setDisplay] = useState(entry?.display_name ?? '');
  const [description, setDescription] = useState(entry?.description ?? '');
  const [status, setStatus] = useState<'active' | 'inactive'>(entry?.status ?? 'active');
  const [drafts, setDrafts] = useState<Draft[]>(() => draftsOf(members));
  const [links, setLinks] = useState<string[]>([...linked]);
  const isNew = name === undefined;
  const hasModels = kind !== 'model-access-groups';
  const body = bodyOf(kind, {
    display,
    description,
    status,
    drafts,
    links,
    newName: isNew ? newName.trim() : undefined,
  });
  const isComplete =
    (!isNew || newName.trim() !== '') && (kind !== 'model-aliases' || drafts.some(({ model }) => model.trim() !== ''));
  return (
    <FormDialog
      title={isNew ? `New ${noun}` : `Edit ${name}`}
      action={isNew ? `Create the ${noun}` : 'Save'}
      isComplete={isComplete}
      run={(key) => (isNew ? createModel(kind, body, key) : updateModel(kind, name, body))}
      done={isNew ? `Created ${newName.trim()}` : `Changed ${name}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          {isNew && (
            <TextField
              label="Name"
              required
              maxLength={255}
              value={newName}
              onChange={setNewName}
              hint="Calls name it. It cannot be changed later"
              problem={problems[nameFieldOf(kind)]}
            />
          )}
          <TextField
            label="Name for people"
            maxLength={255}
            value={display}
            onChange={setDisplay}
            problem={problems.display_name}
          />
          <TextArea label="Description" maxLength={2_000} rows={2} value={description} onChange={setDescription} />
          {hasModels && (
            <MemberFields
              drafts={drafts}
              onChange={setDrafts}
              hasFallbackPrices={kind === 'model-groups'}
              problem={problems.models ?? problems.model_name ?? problems.fallbacks}
            />
          )}
          {kind !== 'model-groups' && <Links kind={kind} values={links} onChange={setLinks} />}
          {!isNew && (
            <SelectField
              label="Status"
              value={status}
              options={[
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive: no call can use it' },
              ]}
              onChange={setStatus}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

interface LinksProps {
  kind: 'model-aliases' | 'model-access-groups';
  values: readonly string[];
  onChange: (values: string[]) => void;
}

function Links({ kind, values, onChange }: LinksProps) {
  const isAlias = kind === 'model-aliases';
  const groups = useQuery({ ...accessGroupsQuery, enabled: isAlias }).data ?? [];
  const aliases = useQuery({ ...modelAliasesQuery, enabled: !isAlias }).data ?? [];
  const options = isAlias ? groups.map(({ group_name }) => group_name) : aliases.map(({ alias_name }) => alias_name);
  return (
    <CheckList label={isAlias ? 'Access groups' : 'Aliases'} options={options} values={values} onChange={onChange} />
  );
}
