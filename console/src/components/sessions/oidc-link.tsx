import { useQuery } from '@tanstack/react-query';
import { apiUrl } from '../../api/base.ts';
import { queryText } from '../../api/request.ts';
import { setupQuery } from '../../api/session.ts';
import buttonStyles from '../ui/button.module.css';
import { classNames } from '../ui/class-names.ts';
import styles from './sign-in.module.css';

interface OidcLinkProps {
  /** The page of the console that is opened then. */
  next?: string | undefined;
  /** In another tab, whose sign-in is that of this one too: what was entered here stays. */
  isApart?: boolean;
}

/** The way to sign in at the identity provider, where one is configured. */
export function OidcLink({ next, isApart = false }: OidcLinkProps) {
  const { data: setup } = useQuery(setupQuery);
  if (!setup?.oidc_label) return null;
  return (
    <a
      className={classNames(buttonStyles.button, buttonStyles.plain, styles.oidc)}
      href={apiUrl('/api/session/oidc') + queryText({ next })}
      {...(isApart && { target: '_blank', rel: 'noreferrer' })}
    >
      Sign in with {setup.oidc_label}
    </a>
  );
}
