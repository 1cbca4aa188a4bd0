import { ListFilter } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { Button } from '../button.tsx';
import { Chips } from '../chips.tsx';
import { NothingMatches } from '../empty.tsx';
import { Select } from '../select.tsx';
import { activeFilters, added, type Filters, noFilters, type SearchOf, toggled } from './filters.ts';
import styles from './list.module.css';

const AddFilterDialog = lazy(() =>
  import('./add-filter-dialog.tsx').then(({ AddFilterDialog }) => ({ default: AddFilterDialog })),
);

export interface FilterProps<Declared extends Filters<string>> {
  filters: Declared;
  search: SearchOf<Declared>;
  onChange: (change: SearchOf<Declared>) => void;
}

type Named<Declared> = { name: keyof Declared & string };

/** A filter with a few values, in the bar above the list. */
export function FilterSelect<Declared extends Filters<string>>(props: FilterProps<Declared> & Named<Declared>) {
  const { name, filters, search, onChange } = props;
  const { label, options = [] } = filters[name]!;
  return (
    <Select
      label={label}
      value={(search[name] as string | undefined) ?? ''}
      options={[{ value: '', label: `${label}: any` }, ...options]}
      onChange={(value) => onChange({ [name]: value || undefined } as SearchOf<Declared>)}
    />
  );
}

/** A filter with a few values of which several may be chosen, each a button in the bar above the list. */
export function FilterToggles<Declared extends Filters<string>>(props: FilterProps<Declared> & Named<Declared>) {
  const { name, filters, search, onChange } = props;
  const { label, options = [] } = filters[name]!;
  return (
    <fieldset className={styles.toggles}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.toggle}
          aria-pressed={(search[name] as string[] | undefined)?.includes(option.value) ?? false}
          onClick={() => onChange(toggled(filters, search, name, option.value))}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

/** One more filter, where there is one without a control in the bar that applies to who is signed in. */
export function AddFilter<Declared extends Filters<string>>({ filters, search, onChange }: FilterProps<Declared>) {
  const { kind, sees_cost } = useSession();
  const [isOpen, setOpen] = useState(false);
  const names = Object.keys(filters).filter((name) => {
    const { isInBar, isForAdmins, isOfCost } = filters[name]!;
    return !isInBar && (kind === 'admin' || !isForAdmins) && (sees_cost || !isOfCost);
  });
  return (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
        Filter
      </Button>
      <Suspense>
        {isOpen && (
          <AddFilterDialog
            filters={filters}
            names={names}
            onAdd={(name, value) => onChange(added(filters, search, name, value))}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}

export function FilterChips<Declared extends Filters<string>>({ filters, search, onChange }: FilterProps<Declared>) {
  return (
    <Chips
      chips={activeFilters(filters, search).map(({ label, value, without }) => ({
        name: label,
        value,
        onDrop: () => onChange(without),
      }))}
      onDropAll={() => onChange(noFilters(filters))}
    />
  );
}

/** Shows, in place of rows, which filters to drop, or without any what is passed as content. */
export function EmptyList<Declared extends Filters<string>>(
  props: FilterProps<Declared> & { what: string; children: ReactNode },
) {
  const { what, filters, search, onChange, children } = props;
  const active = activeFilters(filters, search);
  if (active.length === 0) return children;
  return (
    <NothingMatches what={what}>
      <p className="muted">Remove a filter:</p>
      <div className={styles.drops}>
        {active.map(({ label, value, without }) => (
          <Button key={`${label} ${value}`} onClick={() => onChange(without)}>
            {label} {value}
          </Button>
        ))}
      </div>
    </NothingMatches>
  );
}
