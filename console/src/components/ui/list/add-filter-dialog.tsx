import { useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { TextField } from '../field.tsx';
import { Select } from '../select.tsx';
import { type Filters, valueIn } from './filters.ts';
import styles from './list.module.css';
import { OfferedField } from './offered-field.tsx';

interface AddFilterDialogProps {
  filters: Filters<string>;
  /** The names of the filters that can be added. */
  names: readonly string[];
  onAdd: (name: string, value: string) => void;
  onClose: () => void;
}

/** A filter and its value. What is set is shown as a chip. */
export function AddFilterDialog({ filters, names, onAdd, onClose }: AddFilterDialogProps) {
  const [name, setName] = useState(names[0]!);
  const [text, setText] = useState(firstOption(filters, names[0]!));
  const filter = filters[name]!;
  const value = valueIn(filter, text);
  return (
    <Dialog title="Add a filter" onClose={onClose}>
      <form
        className={styles.addFilter}
        onSubmit={(event) => {
          event.preventDefault();
          if (value === undefined) return;
          onAdd(name, value);
          onClose();
        }}
      >
        <Select
          label="Field"
          value={name}
          options={names.map((one) => ({ value: one, label: filters[one]!.label }))}
          onChange={(next) => {
            setName(next);
            setText(firstOption(filters, next));
          }}
        />
        {filter.options ? (
          <Select label="Value" value={text} options={filter.options} onChange={setText} />
        ) : filter.offers ? (
          <OfferedField key={name} field={filter.offers} hint={filter.hint} value={text} onChange={setText} />
        ) : (
          <TextField
            label="Value"
            hint={filter.hint}
            value={text}
            onChange={setText}
            inputMode={filter.isNumber ? 'decimal' : undefined}
          />
        )}
        <DialogActions>
          <Button type="submit" look="primary" disabled={value === undefined}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const firstOption = (filters: Filters<string>, name: string): string => filters[name]!.options?.[0]?.value ?? '';
