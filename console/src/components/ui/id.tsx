import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import styles from './id.module.css';

/** Keeps as much of an id as distinguishes rows. Ids that people have chosen are shown whole. */
const shortened = (id: string): string => (/^[\da-f]{8}-[\da-f]{4}-/.test(id) ? id.slice(0, 8) : id);

const shownMs = 1_500;

interface IdProps {
  id: string;
  whole?: boolean;
  /** Shows only an icon, beside a link that has the id. */
  isIcon?: boolean;
}

/** An id in a fixed-width font, copied by a click. */
export function Id({ id, whole = false, isIcon = false }: IdProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (event: React.MouseEvent) => {
    event.stopPropagation();
    await copyText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <button type="button" className={styles.id} onClick={copy} title={`${id} – click to copy`}>
      {!isIcon && <span>{whole ? id : shortened(id)}</span>}
      {copied ? (
        <Check size={12} aria-hidden />
      ) : (
        <Copy size={12} className={isIcon ? styles.alone : styles.icon} aria-hidden />
      )}
      <span className="visually-hidden">{copied ? 'Copied' : 'Copy'}</span>
    </button>
  );
}

export { shortened as shortId };

/** Copies a text. Where the browser does not permit it, nothing is copied and there is no error. */
export const copyText = (text: string): Promise<void> => navigator.clipboard.writeText(text).catch(() => undefined);
