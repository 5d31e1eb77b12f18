import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { type ESTree, parseSync } from 'rolldown/utils';

const PACKAGE = fileURLToPath(import.meta.resolve('@neondatabase/serverless'));

/** wrangler.toml puts this file in the place of the package. */
const BUILT = join(import.meta.dirname, '../../node_modules/.cache/neon-driver.mjs');

/** What the Worker imports. */
const ENTRY = `export { NeonDbError, neon, neonConfig } from ${JSON.stringify(PACKAGE)};`;

/**
 * The helpers of the bundler that built the package, by their definitions. A call to one of them only makes
 * what it returns, or gives a function its name.
 */
const HELPERS = {
  name: /var (\w+)=\(\w,\w\)=>\w+\(\w,"name",\{value:\w,configurable:!0\}\)/g,
  esModule: /var (\w+)=\(\w,\w,\w\)=>\(\)=>\{if\(\w\)throw \w\[0\];try\{return/g,
  commonJs: /var (\w+)=\(\w,\w\)=>\(\)=>\{try\{return \w\|\|\w\(\(\w=\{exports:\{\}\}\)\.exports,/g,
  imported: /var (\w+)=\(\w,\w,\w\)=>\(\w=\w!=null\?/g,
};

/** The runtime has Buffer, so that the package's own never runs. */
const OWN_BUFFER =
  /typeof globalThis\.Buffer=="function"&&typeof globalThis\.Buffer\.\s?allocUnsafe=="function"\?globalThis\.Buffer:\w+\(\)\.Buffer/g;

/**
 * Writes Neon's driver without what the Worker does not use. The package is one minified file. Its classes
 * Client and Pool, which speak over WebSockets, keep all of node-postgres in a bundle: half of the file. A
 * bundler leaves them out once it knows which calls at the top level have no effect.
 * @returns the file that was written
 * @throws Error if the package is not built as this function expects, such as after an update
 */
export async function writeNeonDriver(): Promise<string> {
  const bundle = await rolldown({
    input: 'entry',
    plugins: [
      {
        name: 'neon-driver',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) =>
          id === 'entry' ? ENTRY : id === PACKAGE ? annotated(readFileSync(PACKAGE, 'utf8')) : null,
      },
    ],
    treeshake: { propertyReadSideEffects: false },
    onLog(_level, { message }) {
      throw new Error(`Neon's driver cannot be bundled: ${message}`);
    },
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  mkdirSync(dirname(BUILT), { recursive: true });
  // Whoever reads the file at this moment sees the old one or the new one.
  const written = `${BUILT}.${process.pid}`;
  writeFileSync(written, output[0].code);
  renameSync(written, BUILT);
  return BUILT;
}

/** The package's code without its Buffer, with a mark on each call at its top level that has no effect. */
export function annotated(original: string): string {
  const source = original.replace(theOnly(original, OWN_BUFFER)[0], 'globalThis.Buffer');
  const helpers = new Map(
    Object.entries(HELPERS).map(([helper, definition]) => [theOnly(source, definition)[1], helper]),
  );
  const calls: number[] = [];
  const visit = (node: ESTree.Expression | null) => {
    if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const helper = helpers.get(node.callee.name);
    if (!helper) return;
    calls.push(node.start);
    // To import a CommonJS module is to run it, which matters only to who uses it.
    const [module] = node.arguments;
    if (helper === 'imported' && module?.type === 'CallExpression') calls.push(module.start);
  };
  for (const statement of parseSync(PACKAGE, source).program.body) {
    if (statement.type === 'ExpressionStatement') visit(statement.expression);
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { init } of statement.declarations) visit(init);
  }
  return calls
    .toSorted((one, other) => other - one)
    .reduce((text, at) => `${text.slice(0, at)}/* @__PURE__ */ ${text.slice(at)}`, source);
}

/** @throws Error unless the pattern matches once */
function theOnly(source: string, pattern: RegExp): RegExpExecArray {
  const [match, ...others] = source.matchAll(pattern);
  if (match && others.length === 0) return match;
  throw new Error(
    `${PACKAGE} has ${match ? 'several places' : 'no place'} like ${pattern.source}. Look for its new form.`,
  );
}

if (import.meta.main) await writeNeonDriver();
