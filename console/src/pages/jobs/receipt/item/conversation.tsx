import type { CallWithPayload } from '../../../../api/types.ts';
import styles from './item.module.css';
import { JsonBlock } from './json-block.tsx';
import { toMessages } from './messages.ts';

/** The messages that were sent, and the answer, as text. */
export function Conversation({ call }: { call: CallWithPayload }) {
  const messages = toMessages(call);
  if (!messages) return <JsonBlock value={call.request ?? ''} />;
  return (
    <ol className={styles.conversation}>
      {messages.map(({ role, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a conversation does not change
        <li key={index}>
          <p className={styles.role}>{role}</p>
          <p className={styles.text}>{text || <span className="muted">no text</span>}</p>
        </li>
      ))}
    </ol>
  );
}
