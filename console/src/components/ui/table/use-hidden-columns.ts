import { changePreferences, usePreferences } from '../../../preferences/preferences.ts';
import type { Column } from './column.ts';

/** The hidden columns of a table: those that a person has chosen, or those that are extra. */
export function useHiddenColumns<Row>(tableId: string, columns: readonly Column<Row>[]) {
  const { hiddenColumns } = usePreferences();
  const hidden = hiddenColumns[tableId] ?? columns.filter(({ isExtra }) => isExtra).map(({ id }) => id);
  const setHidden = (id: string, isHidden: boolean): void => {
    const rest = hidden.filter((other) => other !== id);
    changePreferences({ hiddenColumns: { ...hiddenColumns, [tableId]: isHidden ? [...rest, id] : rest } });
  };
  return { hidden, setHidden };
}
