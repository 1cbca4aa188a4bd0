// Every script is in a folder of `<public path>/console/`: its own address contains the path under which the service is reached.
const script: string = import.meta.url;
const { pathname } = new URL(script);

/** The public path of the service with a slash at its end: `/`, or `/gateway/` behind a proxy. */
const servicePath = pathname.slice(0, pathname.lastIndexOf('/console/') + 1);

/** The path of the console's pages. */
export const consolePath = `${servicePath}console`;

/** The path under which an admin sees the console as a team does: its next part is the id of the team. */
const viewsPath = `${consolePath}/as/`;
/** Undefined where a test loads this file, outside of a browser. */
const { location } = globalThis as { location?: { pathname: string; reload: () => void } };
const [viewedPart = ''] = location?.pathname.startsWith(viewsPath)
  ? location.pathname.slice(viewsPath.length).split('/')
  : [];

export const reloadPage = (): void => location?.reload();

/**
 * The id of the team as which this page is viewed, as it is in the address, percent-encoded: empty for the own console. The address is
 * that of one tab, whereas the cookie is that of all.
 */
export const viewedTeam = viewedPart;

/** The path of the pages: that of the console, or of the view of a team. */
export const pagesPath = viewedTeam === '' ? consolePath : viewsPath + viewedTeam;

/** The first page of the view of a team. */
export const viewPath = (teamId: string): string => `${viewsPath + encodeURIComponent(teamId)}/team`;

/**
 * The name of something that the browser keeps for an origin: storage, locks, channels. Another gateway under another public path of
 * the origin has its own.
 */
export const nameInBrowser = (name: string): string => (servicePath === '/' ? name : `${name} ${servicePath}`);

/** The address of a path of the API: `/api/jobs`, without the public path. */
export const apiUrl = (path: string): string => servicePath + path.slice(1);

/** The address of a path of the API with the origin at which this page was reached, for a client elsewhere. */
export const wholeUrl = (path: string): string => new URL(script).origin + apiUrl(path);
