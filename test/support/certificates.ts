import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes an authority (`ca.pem`), and for each name a certificate of it (`<name>.pem`, `<name>.key`) that is valid for the host. */
export function makeCertificates(folder: string, names: string[], host: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const days = ['-days', '2'];
  openssl('req', '-x509', ...days, ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority');
  writeFileSync(join(folder, 'san'), `subjectAltName=DNS:${host}`);
  for (const name of names) {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', ...days, '-extfile', 'san'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`);
  }
}
