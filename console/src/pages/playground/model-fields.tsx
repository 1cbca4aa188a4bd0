import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { callableModelsQuery, modelAliasesQuery, modelGroupsQuery } from '../../api/models.ts';
import { useSession } from '../../api/session.ts';
import { TextField } from '../../components/ui/field.tsx';
import type { Draft } from './draft.ts';
import styles from './playground.module.css';

/** The names that a call can ask for. */
function useNames(): readonly string[] {
  const isTeam = useSession().kind === 'team';
  const callable = useQuery({ ...callableModelsQuery, enabled: isTeam });
  const groups = useQuery({ ...modelGroupsQuery, enabled: !isTeam });
  const aliases = useQuery({ ...modelAliasesQuery, enabled: !isTeam });
  if (isTeam) return callable.data?.data.map(({ id }) => id) ?? [];
  const active = <Row extends { status: string }>(rows: readonly Row[] = []) =>
    rows.filter(({ status }) => status === 'active');
  return [
    ...active(groups.data).map(({ group_name }) => group_name),
    ...active(aliases.data).map(({ alias_name }) => alias_name),
  ];
}

interface ModelFieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

/** The model and a few parameters. The first name is taken where a person has chosen none. */
export function ModelFields({ draft, onChange }: ModelFieldsProps) {
  const list = useId();
  const names = useNames();
  const [first] = names;
  const hasChosen = useRef(draft.model !== '');
  const suggest = useRef(onChange);
  suggest.current = onChange;
  useEffect(() => {
    if (first === undefined || hasChosen.current) return;
    hasChosen.current = true;
    suggest.current({ model: first });
  }, [first]);
  return (
    <div className={styles.parameters}>
      <TextField
        label="Model group or alias"
        list={list}
        maxLength={255}
        spellCheck={false}
        value={draft.model}
        onChange={(model) => onChange({ model })}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="Temperature"
        inputMode="decimal"
        placeholder="0.7"
        value={draft.temperature}
        onChange={(temperature) => onChange({ temperature })}
      />
      <TextField
        label="Most tokens"
        inputMode="numeric"
        value={draft.maxTokens}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
      <TextField
        label="Top p"
        inputMode="decimal"
        placeholder="of the model"
        value={draft.topP}
        onChange={(topP) => onChange({ topP })}
      />
    </div>
  );
}
