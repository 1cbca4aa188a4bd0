import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

export type FactList = readonly (readonly [name: string, value: ReactNode])[];

/** Names and values, one a line. A value that is null or undefined is left out. */
export const Facts = ({ facts }: { facts: FactList }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
