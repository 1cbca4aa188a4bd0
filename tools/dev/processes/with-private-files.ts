/**
 * Starts a process whose new files only its owner can read: Temporal's database holds what the jobs of all teams are about. A
 * child takes over the umask of its parent at this moment.
 */
export function withPrivateFiles<Started>(start: () => Started): Started {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}
