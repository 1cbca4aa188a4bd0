import { ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Chips } from '../chips.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { NothingMatches } from '../empty.tsx';
import { TextField } from '../field.tsx';
import { Select } from '../select.tsx';
import { activeFilters, type FilterSearch, type Filters, without } from './filters.ts';
import styles from './list.module.css';

interface FilterProps<Name extends string> {
  filters: Filters<Name>;
  search: FilterSearch<Name>;
  onChange: (change: FilterSearch<Name>) => void;
}

/** A filter with a few values, in the bar above the list. */
export function FilterSelect<Name extends string>({
  name,
  filters,
  search,
  onChange,
}: FilterProps<Name> & { name: Name }) {
  const { label, options = [] } = filters[name];
  return (
    <Select
      label={label}
      value={search[name] ?? ''}
      options={[{ value: '', label: `${label}: any` }, ...options]}
      onChange={(value) => onChange({ [name]: value || undefined } as FilterSearch<Name>)}
    />
  );
}

/** One more filter: a field and its value. */
export function AddFilter<Name extends string>({ filters, onChange }: FilterProps<Name>) {
  const names = (Object.keys(filters) as Name[]).filter((name) => !filters[name].isInBar);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState<Name>(names[0]!);
  const [value, setValue] = useState(filters[names[0]!].options?.[0]?.value ?? '');
  const { hint, options } = filters[name];
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
              if (value.trim() === '') return;
              onChange({ [name]: value.trim() } as FilterSearch<Name>);
              setOpen(false);
            }}
          >
            <Select
              label="Field"
              value={name}
              options={names.map((one) => ({ value: one, label: filters[one].label }))}
              onChange={(next) => {
                setName(next);
                setValue(filters[next].options?.[0]?.value ?? '');
              }}
            />
            {options ? (
              <Select label="Value" value={value} options={options} onChange={setValue} />
            ) : (
              <TextField label="Value" hint={hint} value={value} onChange={setValue} />
            )}
            <DialogActions>
              <Button type="submit" look="primary" disabled={value.trim() === ''}>
                Add
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </>
  );
}

export function FilterChips<Name extends string>({ filters, search, onChange }: FilterProps<Name>) {
  const active = activeFilters(filters, search);
  return (
    <Chips
      chips={active.map(({ name, label, value }) => ({ name: label, value, onDrop: () => onChange(without(name)) }))}
      onDropAll={() => onChange(without(...active.map(({ name }) => name)))}
    />
  );
}

/** In place of rows: which filters to drop, or without any what is passed as content. */
export function EmptyList<Name extends string>({
  what,
  filters,
  search,
  onChange,
  children,
}: FilterProps<Name> & { what: string; children: ReactNode }) {
  const active = activeFilters(filters, search);
  if (active.length === 0) return children;
  return (
    <NothingMatches what={what}>
      <p className="muted">Drop a filter:</p>
      <div>
        {active.map(({ name, label, value }) => (
          <Button key={name} onClick={() => onChange(without(name))}>
            {label} {value}
          </Button>
        ))}
      </div>
    </NothingMatches>
  );
}
