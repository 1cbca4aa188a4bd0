import { Plus, X } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { TextArea } from '../../components/ui/field.tsx';
import { Select } from '../../components/ui/select.tsx';
import { type MessageDraft, roles } from './draft.ts';
import styles from './playground.module.css';

const labels = { system: 'System', user: 'User', assistant: 'Assistant' };
const options = roles.map((role) => ({ value: role, label: labels[role] }));

interface MessageFieldsProps {
  messages: readonly MessageDraft[];
  onChange: (messages: MessageDraft[]) => void;
}

/** The conversation, oldest message first. */
export function MessageFields({ messages, onChange }: MessageFieldsProps) {
  const set = (id: number, change: Partial<MessageDraft>) =>
    onChange(messages.map((message) => (message.id === id ? { ...message, ...change } : message)));
  const add = () => {
    const id = Math.max(-1, ...messages.map((message) => message.id)) + 1;
    const role = messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
    onChange([...messages, { id, role, text: '' }]);
  };
  return (
    <fieldset className={styles.messages}>
      <legend className="visually-hidden">Messages</legend>
      {messages.map(({ id, role, text }, index) => (
        <div key={id} className={styles.message}>
          <TextArea
            label={`${labels[role]} ${role === 'system' ? 'prompt' : 'message'}${index > 1 ? ` ${index + 1}` : ''}`}
            rows={role === 'system' ? 2 : 5}
            value={text}
            onChange={(value) => set(id, { text: value })}
          />
          <div className={styles.controls}>
            <Select
              label={`Role of message ${index + 1}`}
              value={role}
              options={options}
              onChange={(value) => set(id, { role: value })}
            />
            <Button
              look="quiet"
              icon={X}
              aria-label={`Remove message ${index + 1}`}
              unavailable={messages.length === 1 && 'It is the only one'}
              onClick={() => onChange(messages.filter((message) => message.id !== id))}
            />
          </div>
        </div>
      ))}
      <Button icon={Plus} onClick={add}>
        Add a message
      </Button>
    </fieldset>
  );
}
