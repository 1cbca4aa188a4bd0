import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { createModel, upstreamModelsQuery } from '../../api/models.ts';
import { setModelGroups } from '../../api/teams.ts';
import type { Team, UpstreamModels } from '../../api/types.ts';
import { TextField } from '../../components/ui/field.tsx';
import { Money } from '../../components/ui/money.tsx';
import { NoteBox } from '../../components/ui/note-box.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { parseNumber } from '../../format/number-input.ts';
import styles from './first-run.module.css';
import { StepForm } from './step-form.tsx';
import { namedModels, suggestModel } from './suggest-model.ts';

interface ModelFormProps {
  team: Team;
  /** The groups that the team could use. */
  groups: readonly string[];
}

/** A model group for the team: one that is there, or a new one with a model of the upstream. */
export function ModelForm({ team, groups }: ModelFormProps) {
  const [isNew, setNew] = useState(groups.length === 0);
  return (
    <>
      {groups.length > 0 && (
        <SelectField
          label="Which one"
          value={isNew ? 'new' : 'existing'}
          options={[
            { value: 'existing', label: 'One that is there' },
            { value: 'new', label: 'A new one' },
          ]}
          onChange={(value) => setNew(value === 'new')}
        />
      )}
      {isNew ? <NewGroup team={team} /> : <ExistingGroup team={team} groups={groups} />}
    </>
  );
}

function ExistingGroup({ team, groups }: ModelFormProps) {
  const [group, setGroup] = useState(groups[0] ?? '');
  return (
    <StepForm
      action="Give it to the team"
      isComplete={group !== ''}
      run={() => setModelGroups(team.team_id, [...team.model_groups, group])}
    >
      {() => (
        <SelectField
          label="Model group"
          value={group}
          options={groups.map((name) => ({ value: name, label: name }))}
          onChange={setGroup}
        />
      )}
    </StepForm>
  );
}

function NewGroup({ team }: { team: Team }) {
  const { data, error, refetch } = useQuery(upstreamModelsQuery);
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className="muted">Asking the upstream for its models …</p>;
  return <GroupForm team={team} upstream={data} />;
}

function GroupForm({ team, upstream }: { team: Team; upstream: UpstreamModels }) {
  const list = useId();
  const [name, setName] = useState('chat');
  const [model, setModel] = useState(() => suggestModel(upstream.models));
  const [input, setInput] = useState('');
  const [output, setOutput] = useState('');
  const listed = upstream.models.find((one) => one.model === model.trim());
  const isPriced = listed !== undefined && listed.input_price_per_million !== null;
  const member = {
    model_name: model.trim(),
    ...(!isPriced && {
      input_price_per_million: parseNumber(input),
      output_price_per_million: parseNumber(output),
    }),
  };
  const create = async (key: string) => {
    await createModel('model-groups', { group_name: name.trim(), models: [member] }, key);
    await setModelGroups(team.team_id, [...team.model_groups, name.trim()]);
  };
  return (
    <StepForm action="Create the model group" isComplete={name.trim() !== '' && member.model_name !== ''} run={create}>
      {(problems) => (
        <>
          {upstream.problem && (
            <NoteBox icon={TriangleAlert} title={upstream.problem}>
              <p className="muted">{upstream.help}</p>
            </NoteBox>
          )}
          <div className={styles.fields}>
            <TextField
              label="Model of the upstream"
              list={list}
              maxLength={255}
              spellCheck={false}
              value={model}
              onChange={setModel}
              hint={
                upstream.models.length > 0
                  ? `The upstream offers ${upstream.models.length}: delete the text to see them`
                  : 'The name by which the upstream knows it'
              }
              problem={problems.model_name}
            />
            <datalist id={list}>
              {namedModels(upstream.models).map((one) => (
                <option key={one.model} value={one.model} />
              ))}
            </datalist>
            <TextField
              label="Model group"
              maxLength={255}
              spellCheck={false}
              value={name}
              onChange={setName}
              hint="The name that calls use for it"
              problem={problems.group_name}
            />
            {!isPriced && (
              <>
                <TextField
                  label="Input price, USD per million tokens"
                  inputMode="decimal"
                  value={input}
                  onChange={setInput}
                  hint="The upstream lists no price. Without one, a call costs what the upstream reports, else 0"
                  problem={problems.input_price_per_million}
                />
                <TextField
                  label="Output price, USD per million tokens"
                  inputMode="decimal"
                  value={output}
                  onChange={setOutput}
                  problem={problems.output_price_per_million}
                />
              </>
            )}
          </div>
          {isPriced && (
            <p className={styles.note}>
              The upstream lists its price: <Money usd={listed.input_price_per_million} /> for a million tokens of
              prompt, <Money usd={listed.output_price_per_million} /> of answer.
            </p>
          )}
        </>
      )}
    </StepForm>
  );
}
