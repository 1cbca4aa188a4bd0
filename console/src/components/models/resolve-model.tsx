import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resolutionQuery } from '../../api/models.ts';
import type { ModelResolution } from '../../api/types.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { StatusMark } from '../ui/status.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { memberColumns } from './member-columns.tsx';
import styles from './resolve-model.module.css';

interface ResolveModelProps {
  /** The page of a team sets it: the team cannot be chosen then. */
  teamId?: string;
  team?: string;
  name?: string;
  onResolve?: (of: { team: string; name: string }) => void;
}

/** A dry run: which models a call of a team would try. Nothing is requested from a model. */
export function ResolveModel({ teamId, team = '', name = '', onResolve }: ResolveModelProps) {
  const [teamText, setTeamText] = useState(teamId ?? team);
  const [nameText, setNameText] = useState(name);
  const [requested, setRequested] = useState({ team: teamId ?? team, name });
  const resolution = useQuery(resolutionQuery(requested.team, requested.name));
  return (
    <>
      <form
        className={styles.resolve}
        onSubmit={(event) => {
          event.preventDefault();
          const next = { team: teamText.trim(), name: nameText.trim() };
          setRequested(next);
          onResolve?.(next);
        }}
      >
        {teamId === undefined && <TextField label="Team" required value={teamText} onChange={setTeamText} />}
        <TextField label="Model group or alias" required value={nameText} onChange={setNameText} />
        <Button type="submit">Resolve</Button>
      </form>
      {resolution.error && <ProblemNote error={resolution.error} />}
      {resolution.data && <Resolution of={resolution.data} />}
    </>
  );
}

function Resolution({ of }: { of: ModelResolution }) {
  if (!of.allowed)
    return (
      <p className={styles.sentence} role="status">
        <StatusMark of="refused" /> The call would be refused: {of.reason}
      </p>
    );
  const through = of.access_groups.length > 0 ? ` through ${of.access_groups.join(', ')}` : '';
  return (
    <>
      <p className={styles.sentence} role="status">
        <StatusMark of="completed" /> {of.group_name} is {of.via === 'alias' ? 'an alias' : 'a model group'}
        {through}: the call would request {of.would_request ?? 'no model, because the group has none'}.
      </p>
      {of.members.length > 0 && (
        <DataTable
          id="resolution"
          label="Models in the order in which they are tried"
          isFlat
          columns={memberColumns}
          rows={of.members}
          rowId={({ model }) => model}
          empty={null}
        />
      )}
    </>
  );
}
