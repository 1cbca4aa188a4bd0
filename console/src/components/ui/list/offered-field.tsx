import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { type FilterField, filterValuesQuery } from '../../../api/filter-values.ts';
import { TextField } from '../field.tsx';
import { useDebounced } from '../use-debounced.ts';

interface OfferedFieldProps {
  field: FilterField;
  hint: ReactNode;
  value: string;
  onChange: (value: string) => void;
}

/** A value with those that the service offers, found by a part of their id or name. */
export function OfferedField({ field, hint, value, onChange }: OfferedFieldProps) {
  const id = useId();
  const { data } = useQuery(filterValuesQuery(field, useDebounced(value) ?? ''));
  return (
    <>
      <TextField label="Value" hint={hint} value={value} onChange={onChange} list={id} autoComplete="off" />
      <datalist id={id}>
        {data?.values.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label === one.value ? undefined : one.label}
          </option>
        ))}
      </datalist>
    </>
  );
}
