import { type ColumnDef, columnVisibilityFeature, rowSelectionFeature, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** A column of a list: what it is called, and what it shows of a row. */
export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The width in pixels. A column without one shares what is left. */
  width?: number;
  align?: 'end';
  /** The narrowest window, in pixels, in which it is shown, beside the sidebar; a panel beside the table narrows it too. */
  from?: 720 | 1024 | 1280;
  /** Whether the column cannot be hidden. */
  isAlways?: boolean;
  /** Whether the column is hidden until a person chooses it. */
  isExtra?: boolean;
}

export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

export const toDefinitions = <Row extends object>(columns: readonly Column<Row>[]): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, header, isAlways = false }) => ({ id, header, enableHiding: !isAlways }));
