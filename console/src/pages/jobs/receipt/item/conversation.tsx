import type { ReactNode } from 'react';
import type { CallWithPayload } from '../../../../api/types.ts';
import styles from './item.module.css';
import { JsonBlock } from './json-block.tsx';
import { toMessages } from './messages.ts';

/** The messages that were sent, and the answer, as text. `answer` is that of a call which is still under way. */
export function Conversation({ call, answer }: { call: CallWithPayload; answer?: ReactNode }) {
  const messages = toMessages(call);
  if (!messages)
    return (
      <>
        <JsonBlock value={call.request ?? ''} />
        {answer}
      </>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <ol className={styles.conversation} tabIndex={0} aria-label="Messages" data-scrolls>
      {messages.map(({ role, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a conversation does not change
        <li key={index}>
          <p className={styles.role}>{role}</p>
          <p className={styles.text}>{text || <span className="muted">no text</span>}</p>
        </li>
      ))}
      {answer && (
        <li>
          <p className={styles.role}>assistant</p>
          {answer}
        </li>
      )}
    </ol>
  );
}
