/**
 * The environment of a program that we bring: what the shell has for others of its kind (`PG*`, `TEMPORAL_*`, a locale that does not
 * exist, a home that is no folder) does not apply to it.
 */
export const ownEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  LC_ALL: 'C',
  TZ: 'UTC',
});
