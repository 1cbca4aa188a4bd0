import type { EffectLine } from './effect-line.ts';
import styles from './effects.module.css';

/** What an action changes, before and after. */
export const Effects = ({ lines }: { lines: readonly EffectLine[] }) => (
  <table className={styles.effects}>
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">What changes</span>
        </th>
        <th scope="col">Now</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ what, before, after }) => (
        <tr key={what}>
          <th scope="row">{what}</th>
          <td>{before}</td>
          <td className={styles.after}>{after}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
