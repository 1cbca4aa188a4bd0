// Every script is in a folder of `<public path>/console/`: its own address contains the path under which the service is reached.
const script: string = import.meta.url;
const { pathname } = new URL(script);

/** The public path of the service with a slash at its end: `/`, or `/gateway/` behind a proxy. */
const servicePath = pathname.slice(0, pathname.lastIndexOf('/console/') + 1);

/** The path of the console's pages. */
export const consolePath = `${servicePath}console`;

/**
 * The name of something that the browser keeps for an origin: storage, locks, channels. Another gateway under another public path of
 * the origin has its own.
 */
export const nameInBrowser = (name: string): string => (servicePath === '/' ? name : `${name} ${servicePath}`);

/** The address of a path of the API: `/api/jobs`, without the public path. */
export const apiUrl = (path: string): string => servicePath + path.slice(1);

/** The address of a path of the API with the origin at which this page was reached, for a client elsewhere. */
export const wholeUrl = (path: string): string => new URL(script).origin + apiUrl(path);
