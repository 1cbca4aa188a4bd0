import { CopyBlock } from '../../../../components/ui/copy-block.tsx';

/** A value as JSON, or a text as it is. It is never more than text to the browser. */
export const JsonBlock = ({ value }: { value: unknown }) => (
  <CopyBlock text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
);
