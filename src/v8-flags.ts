import { setFlagsFromString } from 'node:v8';

/**
 * Imported first by processes that run for long. By default, V8 lets the young generation of a busy process, and of each of its
 * threads, grow to 128 MB, and the old one to several times its live objects: an api that needs 200 MB had 460 after twenty
 * thousand calls. Nearly all objects are garbage after a call, so earlier collections had no measurable cost.
 */
setFlagsFromString('--max-semi-space-size=16');
setFlagsFromString('--heap-growing-percent=40');
