/** A column with which the commit of the statement does not wait for the log to reach the disk. */
export const withoutDisk = `set_config('synchronous_commit', 'off', true)`;
