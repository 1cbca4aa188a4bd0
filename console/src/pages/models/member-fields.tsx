import { ArrowUp, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { classNames } from '../../components/ui/class-names.ts';
import { type Draft, noPrices, priceFields, withPricesOfFirst } from './member-drafts.ts';
import styles from './models.module.css';

interface MemberFieldsProps {
  drafts: readonly Draft[];
  onChange: (drafts: Draft[]) => void;
  /** The models of a group have each prices of their own and can be switched off. An alias has the same prices for all. */
  isGroup: boolean;
  problem?: string;
}

/** The models in the order in which a call tries them. */
export function MemberFields({ drafts, onChange, isGroup, problem }: MemberFieldsProps) {
  const nextId = useRef(drafts.length);
  const apply = (next: Draft[], first = drafts[0]) => onChange(isGroup ? next : withPricesOfFirst(next, first));
  const set = (id: number, change: Partial<Draft>) => {
    const next = drafts.map((draft) => (draft.id === id ? { ...draft, ...change } : draft));
    apply(next, next[0]);
  };
  const moveUp = (index: number) => {
    const next = [...drafts];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    apply(next);
  };
  const add = () => {
    apply([...drafts, { ...noPrices, id: nextId.current, model: '', isActive: true }]);
    nextId.current += 1;
  };
  return (
    <fieldset className={styles.memberSet}>
      <legend>Models, in the order in which they are tried</legend>
      <ol className={styles.members}>
        <li className={classNames(styles.member, isGroup && styles.switched, styles.memberHead)} aria-hidden>
          <span />
          <span>Model</span>
          {priceFields.map(({ head }) => (
            <span key={head}>{head}, $/M</span>
          ))}
          {isGroup && <span>Used</span>}
          <span />
        </li>
        {drafts.map(({ id, model, isActive, ...prices }, index) => {
          const hasPrices = isGroup || index === 0;
          const what = index === 0 ? 'Primary model' : `Fallback ${index}`;
          return (
            <li key={id} className={classNames(styles.member, isGroup && styles.switched)}>
              <span aria-hidden className="muted">
                {index + 1}
              </span>
              <input
                aria-label={what}
                value={model}
                maxLength={255}
                spellCheck={false}
                onChange={(event) => set(id, { model: event.target.value })}
              />
              {priceFields.map(({ price, head, what: named }) => (
                <input
                  key={price}
                  aria-label={`${what}: ${named}, USD per million tokens`}
                  placeholder={`${head}, $/M`}
                  inputMode="decimal"
                  disabled={!hasPrices}
                  value={hasPrices ? prices[price] : ''}
                  onChange={(event) => set(id, { [price]: event.target.value })}
                />
              ))}
              {isGroup && (
                <label className={styles.switch}>
                  <input
                    type="checkbox"
                    aria-label={`${what} is used by calls`}
                    checked={isActive}
                    onChange={(event) => set(id, { isActive: event.target.checked })}
                  />
                </label>
              )}
              <span>
                <Button
                  look="quiet"
                  icon={ArrowUp}
                  aria-label={`Try ${model || what} earlier`}
                  unavailable={index === 0 && 'It is the first'}
                  onClick={() => moveUp(index)}
                />
                <Button
                  look="quiet"
                  icon={X}
                  aria-label={`Remove ${model || what}`}
                  onClick={() => apply(drafts.filter((draft) => draft.id !== id))}
                />
              </span>
            </li>
          );
        })}
      </ol>
      {!isGroup && <p className="muted">The prices hold for the fallbacks too.</p>}
      {problem && <p className={styles.bad}>{problem}</p>}
      <Button icon={Plus} onClick={add}>
        Add a model
      </Button>
    </fieldset>
  );
}
