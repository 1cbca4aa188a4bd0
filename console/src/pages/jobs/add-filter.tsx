import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import type { JobSearch } from './job-search.ts';
import styles from './jobs.module.css';

type Field = Exclude<keyof JobSearch, 'status' | 'q' | 'open'>;

const fields: Record<Field, { label: string; hint?: string; isFlag?: true; isNumber?: true; isForAdmins?: true }> = {
  team: { label: 'Team', hint: 'Its id', isForAdmins: true },
  organization: { label: 'Organization', hint: 'Its id', isForAdmins: true },
  type: { label: 'Type' },
  user: { label: 'User' },
  external: { label: 'External id' },
  model: { label: 'Model group' },
  metadata: { label: 'Metadata', hint: 'key=value' },
  charged: { label: 'Charged', isFlag: true },
  failedCalls: { label: 'Failed calls', isFlag: true },
  minCost: { label: 'Cost from', hint: 'USD', isNumber: true },
  maxCost: { label: 'Cost to', hint: 'USD', isNumber: true },
  minDuration: { label: 'Duration from', hint: 'Milliseconds', isNumber: true },
  maxDuration: { label: 'Duration to', hint: 'Milliseconds', isNumber: true },
};

interface AddFilterProps {
  search: JobSearch;
  onChange: (change: Partial<JobSearch>) => void;
}

/** One more filter: a field and its value. What is set is shown as a chip. */
export function AddFilter({ search, onChange }: AddFilterProps) {
  const isAdmin = useSession().kind === 'admin';
  const names = (Object.keys(fields) as Field[]).filter((name) => isAdmin || !fields[name].isForAdmins);
  const [isOpen, setOpen] = useState(false);
  const [field, setField] = useState<Field>(names[0]!);
  const [value, setValue] = useState('');
  const { hint, isFlag, isNumber } = fields[field];
  const isComplete = field === 'metadata' ? /^[^=]+=/.test(value) : value.trim() !== '';
  const add = () => {
    const text = value.trim();
    onChange(field === 'metadata' ? { metadata: [...(search.metadata ?? []), text] } : { [field]: text });
    setValue('');
    setOpen(false);
  };
  return (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        Filter
      </Button>
      {isOpen && (
        <Dialog title="Add a filter" onClose={() => setOpen(false)}>
          <form
            className={styles.addFilter}
            onSubmit={(event) => {
              event.preventDefault();
              if (isComplete) add();
            }}
          >
            <Select
              label="Field"
              value={field}
              options={names.map((name) => ({ value: name, label: fields[name].label }))}
              onChange={(next) => {
                setField(next);
                setValue(fields[next].isFlag ? 'true' : '');
              }}
            />
            {isFlag ? (
              <Select
                label="Value"
                value={value}
                options={[
                  { value: 'true', label: 'Yes' },
                  { value: 'false', label: 'No' },
                ]}
                onChange={setValue}
              />
            ) : (
              <TextField
                label="Value"
                hint={hint}
                value={value}
                onChange={setValue}
                inputMode={isNumber ? 'decimal' : undefined}
              />
            )}
            <DialogActions>
              <Button type="submit" look="primary" disabled={!isComplete}>
                Add
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </>
  );
}
