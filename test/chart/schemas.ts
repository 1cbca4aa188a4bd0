import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goModule } from './go-programs.ts';

type Schema = Record<string, unknown>;

const number = { type: 'number' };
const text = { type: 'string' };

/** As the API server with strict validation: an object has no other properties than the named ones. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const one = schema as Schema;
  if (one.format === 'int-or-string') return { anyOf: [text, { type: 'integer' }] };
  const inner = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, strict(value)]));
  const isOpen =
    one['x-kubernetes-preserve-unknown-fields'] || one.additionalProperties || !isProperties(one.properties);
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

const isProperties = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !('type' in value && typeof value.type === 'string');

/** Custom resources that the chart may render: the modules of their operators, and the files in them. */
const operators: [module: string, files: string][] = [
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_{podmonitors,prometheusrules}.yaml',
  ],
];

export interface Definition {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: { group: string; names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: unknown } }[] };
}

export async function customResources(): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const [module, files] of operators) {
    const folder = await goModule(module);
    for (const file of globSync(files, { cwd: folder })) found.push(parse(readFileSync(join(folder, file), 'utf8')));
  }
  return found;
}

/** Writes a schema for each kind of a version of Kubernetes and of the custom resources, by the names that kubeconform looks for. */
export async function writeSchemas(folder: string, version: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const write = (kind: string, group: string, of: string, schema: unknown) => {
    const name = [kind.toLowerCase(), group.split('.')[0], of].filter(Boolean).join('-');
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(schema));
  };
  const kubernetes = await goModule(`k8s.io/kubernetes@${version}`);
  const { definitions } = JSON.parse(readFileSync(join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8'));
  const closed = strict(definitions) as Record<string, Schema>;
  closed['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { anyOf: [text, number] };
  writeFileSync(join(folder, '_definitions.json'), JSON.stringify({ definitions: closed }));
  for (const [name, definition] of Object.entries(closed)) {
    const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as {
      group: string;
      kind: string;
      version: string;
    }[];
    if (kinds.length !== 1) continue;
    const [{ group, kind, version: of }] = kinds as [(typeof kinds)[number]];
    write(kind, group, of, { $ref: `_definitions.json#/definitions/${name}` });
  }
  for (const { spec } of await customResources())
    for (const one of spec.versions) write(spec.names.kind, spec.group, one.name, strict(one.schema.openAPIV3Schema));
}
