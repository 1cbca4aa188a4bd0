import { Link } from '@tanstack/react-router';
import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Attention } from '../../api/types.ts';
import { None, Section } from '../../components/ui/detail-page.tsx';
import { Age } from '../../components/ui/time.tsx';
import { formatNumber } from '../../format/number.ts';
import styles from './overview.module.css';

type Item = Attention['items'][number];

/** What needs attention now, whatever the range: critical first, each with a link to the page where it is handled. */
export function AttentionList({ attention: { items, total } }: { attention: Attention }) {
  const shown = total > items.length ? `${formatNumber(items.length)} of ${formatNumber(total)}` : undefined;
  return (
    <Section title="Needs attention now" aside={shown && <span className="muted">{shown}</span>}>
      {items.length === 0 ? (
        <None>
          <span className={styles.well}>
            <CircleCheck size={14} aria-hidden /> Nothing needs attention.
          </span>
        </None>
      ) : (
        <ul className={styles.attention}>
          {items.map((item) => (
            <AttentionRow key={`${item.kind} ${item.link.id}`} item={item} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function AttentionRow({ item }: { item: Item }) {
  const { severity, title, detail, link, since } = item;
  const isCritical = severity === 'critical';
  const Icon = isCritical ? OctagonAlert : TriangleAlert;
  return (
    <li className={styles.item}>
      <span className={isCritical ? styles.critical : styles.warning}>
        <Icon size={14} aria-hidden /> {isCritical ? 'Critical' : 'Warning'}
      </span>
      <span className={styles.what}>
        <ItemLink link={link}>{title}</ItemLink>
        <span className="muted">{detail}</span>
      </span>
      {since && (
        <span className="muted">
          since <Age of={since} />
        </span>
      )}
    </li>
  );
}

function ItemLink({ link: { type, id }, children }: { link: Item['link']; children: ReactNode }) {
  switch (type) {
    case 'team':
      return (
        <Link to="/teams/$teamId" params={{ teamId: id }} search={{ tab: 'credits' }}>
          {children}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
          {children}
        </Link>
      );
    case 'job':
      return (
        <Link to="/jobs/$jobId" params={{ jobId: id }}>
          {children}
        </Link>
      );
    case 'model':
      return (
        <Link to="/models" search={{ tab: 'health', model: id, range: '24h' }}>
          {children}
        </Link>
      );
    case 'system':
      return <Link to="/system">{children}</Link>;
  }
}
