import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import styles from './copy-block.module.css';
import { copyText } from './id.tsx';
import { addToast } from './toast-queue.ts';

/** Text for a terminal or a program, as it is. */
export const CopyBlock = ({ text, label = 'Copy' }: { text: string; label?: string }) => (
  <div className={styles.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
    <pre tabIndex={0}>{text}</pre>
    <Button
      icon={Copy}
      aria-label={label}
      title={label}
      onClick={() => {
        void copyText(text);
        addToast('Copied');
      }}
    />
  </div>
);
