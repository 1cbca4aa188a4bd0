import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useMay, useSession } from '../api/session.ts';
import { Toasts } from '../components/ui/toasts.tsx';
import { startLive } from '../live/live.ts';
import { useForgetting } from '../live/use-forgetting.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import styles from './layout.module.css';
import { Sidebar } from './navigation/sidebar.tsx';
import { ReloadBar } from './reload-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useSessionGuard } from './use-session-guard.ts';
import { useWindowTitle } from './use-window-title.ts';

const loadPalette = () => import('./palette/palette.tsx').then(({ Palette }) => ({ default: Palette }));
const Palette = lazy(loadPalette);
const ShortcutList = lazy(() => import('./shortcut-list.tsx').then(({ ShortcutList }) => ({ default: ShortcutList })));
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx').then(({ SignInDialog }) => ({ default: SignInDialog })));

const ViewBar = lazy(() => import('./view/view-bar.tsx').then(({ ViewBar }) => ({ default: ViewBar })));

const settledMs = 1_000;

type Overlay = 'palette' | 'shortcuts' | null;

/** What surrounds every page: the sidebar, the bar above, and the dialogs that open everywhere. */
export function Layout() {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const end = useSessionGuard();
  const close = () => setOverlay(null);
  const mayWatch = useMay('events:read') && end === undefined;
  useEffect(() => (mayWatch ? startLive() : undefined), [mayWatch]);
  const isView = useSession().viewer !== null;
  useForgetting();
  useEffect(loadPaletteSoon, []);
  useWindowTitle();
  useShortcuts({ '?': () => setOverlay('shortcuts') });
  // Only readers who may see jobs have it: an account of role user would find nothing.
  useShortcuts({ 'mod+k': () => setOverlay('palette') }, { isActive: useMay('jobs:read') });
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <Sidebar />
      <div className={styles.page}>
        {isView && (
          <Suspense>
            <ViewBar />
          </Suspense>
        )}
        <TopBar onSearch={() => setOverlay('palette')} />
        <ReloadBar />
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutList onClose={close} />}
        {end && <SignInDialog why={end} />}
      </Suspense>
      <Toasts />
    </div>
  );
}

/** Loads the palette soon after the page, before it is opened: what is typed while it loads would be lost. */
function loadPaletteSoon(): () => void {
  const timer = setTimeout(() => void loadPalette().catch(() => undefined), settledMs);
  return () => clearTimeout(timer);
}
