import { Money } from '../ui/money.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table/column.ts';

export interface MemberRow {
  model: string;
  position: number;
  input_price_per_million: number | null;
  output_price_per_million: number | null;
  isActive?: boolean;
}

const orderOf = (position: number): string => (position === 0 ? 'primary' : `fallback ${position}`);

/** The models of a group in the order in which a call tries them, with their prices. */
export const memberColumns: Column<MemberRow>[] = [
  { id: 'order', header: 'Order', width: 96, from: 720, cell: ({ position }) => orderOf(position) },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model, isActive = true }) => (
      <>
        <span className="mono">{model}</span> {!isActive && <Status of="inactive" />}
      </>
    ),
  },
  {
    id: 'input',
    header: 'Input $/M',
    width: 92,
    align: 'end',
    cell: ({ input_price_per_million }) => <Money usd={input_price_per_million} />,
  },
  {
    id: 'output',
    header: 'Output $/M',
    width: 96,
    align: 'end',
    cell: ({ output_price_per_million }) => <Money usd={output_price_per_million} />,
  },
];
