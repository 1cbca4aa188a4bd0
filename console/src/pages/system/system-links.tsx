import { ExternalLink } from 'lucide-react';
import { apiUrl } from '../../api/base.ts';
import type { System } from '../../api/types.ts';

const Outside = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children} <ExternalLink size={12} aria-hidden />
  </a>
);

/** Links to where to look further. */
export const SystemLinks = ({ links: { temporal_ui, docs, metrics } }: { links: System['links'] }) => (
  <>
    {temporal_ui ? (
      <Outside href={temporal_ui}>Temporal UI</Outside>
    ) : (
      <span className="muted">
        Temporal UI: set <code>TEMPORAL_UI_URL</code>
      </span>
    )}
    <Outside href={apiUrl(docs)}>Documentation</Outside>
    <Outside href={apiUrl(metrics)}>Metrics</Outside>
  </>
);
