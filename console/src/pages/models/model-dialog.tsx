import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessGroupsQuery, createModel, type ModelKind, modelAliasesQuery, updateModel } from '../../api/models.ts';
import { CheckList } from '../../components/ui/check-list.tsx';
import { TextArea, TextField } from '../../components/ui/field.tsx';
import { FormDialog } from '../../components/ui/form-dialog.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { addToast } from '../../components/ui/toast-queue.ts';
import { namesIn } from '../../format/names.ts';
import { type Draft, type StoredMember, toDrafts } from './member-drafts.ts';
import { MemberFields } from './member-fields.tsx';
import { nameFieldOf, toBody } from './model-body.ts';
import { modelEffects } from './model-effects.ts';

export interface ModelDialogProps {
  kind: ModelKind;
  noun: string;
  /** The name of the entry; undefined for a new one. */
  name: string | undefined;
  entry:
    | {
        display_name: string | null;
        description: string | null;
        status: 'active' | 'inactive';
        extra_fields?: readonly string[];
        blocked_fields?: readonly string[];
        max_output_tokens?: number | null;
        embedding_fallbacks?: boolean;
      }
    | undefined;
  members?: readonly StoredMember[];
  /** The access groups of an alias, or the aliases of an access group. */
  linked?: readonly string[];
  onClose: () => void;
}

/** More would cover the page. */
const shownWarnings = 3;

/** A model group, an alias or an access group: the fields that they share, their models, and what they are linked with. */
export function ModelDialog({ kind, noun, name, entry, members = [], linked = [], onClose }: ModelDialogProps) {
  const [newName, setNewName] = useState('');
  const [display, setDisplay] = useState(entry?.display_name ?? '');
  const [description, setDescription] = useState(entry?.description ?? '');
  const [status, setStatus] = useState<'active' | 'inactive'>(entry?.status ?? 'active');
  const [drafts, setDrafts] = useState<Draft[]>(() => toDrafts(members));
  const [links, setLinks] = useState<string[]>([...linked]);
  const [sent, setSent] = useState(() => toSent(entry));
  const isNew = name === undefined;
  const hasModels = kind !== 'model-access-groups';
  const after = { status, drafts, links, ...toFields(sent) };
  const before = {
    status: entry?.status ?? 'active',
    drafts: toDrafts(members),
    links: linked,
    ...toFields(toSent(entry)),
  };
  const effects = isNew ? [] : modelEffects(before, after, linksLabelOf(kind));
  const body = toBody(kind, { ...after, display, description, newName: isNew ? newName.trim() : undefined });
  const isComplete =
    (!isNew || newName.trim() !== '') && (kind !== 'model-aliases' || drafts.some(({ model }) => model.trim() !== ''));
  return (
    <FormDialog
      title={isNew ? `New ${noun}` : `Edit ${name}`}
      action={isNew ? `Create the ${noun}` : 'Save'}
      isComplete={isComplete}
      isWide={hasModels}
      effects={effects.length > 0 ? effects : undefined}
      run={(key) => (isNew ? createModel(kind, body, key) : updateModel(kind, name, body))}
      done={isNew ? `Created ${newName.trim()}` : `Changed ${name}`}
      onClose={onClose}
      onDone={({ warnings = [] }) => {
        for (const warning of warnings.slice(0, shownWarnings)) addToast(warning);
      }}
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
              hint="Used in calls. It cannot be changed later"
              problem={problems[nameFieldOf(kind)]}
            />
          )}
          <TextField
            label="Display name"
            maxLength={255}
            value={display}
            onChange={setDisplay}
            problem={problems.display_name}
          />
          <TextArea label="Description" maxLength={2_000} rows={2} value={description} onChange={setDescription} />
          {hasModels && (
            <>
              <MemberFields
                drafts={drafts}
                onChange={setDrafts}
                isGroup={kind === 'model-groups'}
                problem={problems.models ?? problems.model_name ?? problems.fallbacks}
              />
              <SentFields sent={sent} onChange={setSent} problems={problems} />
            </>
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

/** What goes upstream of a call, as it is written in the form. */
interface Sent {
  extra: string;
  blocked: string;
  maxOutput: string;
  hasEmbeddingFallbacks: boolean;
}

const toSent = (entry: ModelDialogProps['entry']): Sent => ({
  extra: entry?.extra_fields?.join(', ') ?? '',
  blocked: entry?.blocked_fields?.join(', ') ?? '',
  maxOutput: String(entry?.max_output_tokens ?? ''),
  hasEmbeddingFallbacks: entry?.embedding_fallbacks ?? false,
});

const toFields = ({ extra, blocked, maxOutput, hasEmbeddingFallbacks }: Sent) => ({
  extraFields: namesIn(extra),
  blockedFields: namesIn(blocked),
  maxOutputTokens: maxOutput,
  embeddingFallbacks: hasEmbeddingFallbacks,
});

interface SentFieldsProps {
  sent: Sent;
  onChange: (sent: Sent) => void;
  problems: Partial<Record<string, string>>;
}

function SentFields({ sent, onChange, problems }: SentFieldsProps) {
  return (
    <>
      <TextField
        label="Extra fields"
        spellCheck={false}
        value={sent.extra}
        onChange={(extra) => onChange({ ...sent, extra })}
        hint="Fields of chat completions that go upstream although the gateway does not know them, such as top_k, with commas"
        problem={problems.extra_fields}
      />
      <TextField
        label="Blocked fields"
        spellCheck={false}
        value={sent.blocked}
        onChange={(blocked) => onChange({ ...sent, blocked })}
        hint="Fields of calls that do not go upstream, such as service_tier, with commas"
        problem={problems.blocked_fields}
      />
      <TextField
        label="Max output tokens"
        inputMode="numeric"
        value={sent.maxOutput}
        onChange={(maxOutput) => onChange({ ...sent, maxOutput })}
        hint="Replaces a larger or absent max_tokens. Empty: no limit"
        problem={problems.max_output_tokens}
      />
      <SelectField
        label="Fallbacks of embeddings"
        value={sent.hasEmbeddingFallbacks ? 'yes' : 'no'}
        options={[
          { value: 'no', label: 'None: vectors of two models do not compare' },
          { value: 'yes', label: 'All: they are the same model at several providers' },
        ]}
        onChange={(value) => onChange({ ...sent, hasEmbeddingFallbacks: value === 'yes' })}
      />
    </>
  );
}

const linksLabelOf = (kind: ModelKind): string => (kind === 'model-aliases' ? 'Access groups' : 'Aliases');

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
  return <CheckList label={linksLabelOf(kind)} options={options} values={values} onChange={onChange} />;
}
