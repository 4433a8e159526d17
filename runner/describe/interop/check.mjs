// Compiles the published schemas of a folder in strict mode, and has them judge the examples. Prints a line a finding on
// standard error, and the counts as JSON.
import Ajv from 'ajv/dist/2020.js';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(process.argv[2], 'schemas');
const read = (...at) => JSON.parse(fs.readFileSync(path.join(root, ...at), 'utf8'));
const problem = (...words) => { console.error(...words); process.exitCode = 1; };
const beside = ['examples.json', 'openapi.json', 'asyncapi.json'];
const counts = {};
for (const pack of fs.readdirSync(root)) {
  const count = (counts[pack] = { files: 0, accepted: 0, refused: 0 });
  const files = new Ajv.default({ strict: true });
  const names = fs.readdirSync(path.join(root, pack), { recursive: true }).filter((f) => f.endsWith('.json') && !beside.includes(f));
  const schemas = names.map((name) => read(pack, name));
  for (const schema of schemas) files.addSchema(schema);
  for (const schema of schemas) {
    try { files.getSchema(schema.$id); count.files++; } catch (e) { problem(schema.$id, e.message); }
  }
  for (const profile of ['strict', 'lenient']) {
    const bundle = read(pack, profile + '.json');
    const ajv = new Ajv.default({ strict: true }); // which has nothing but the bundle
    try { ajv.compile(bundle); } catch (e) { problem(bundle.$id, e.message); continue; }
    for (const x of read(pack, 'examples.json')) {
      const at = bundle.$id + '#/$defs/' + x.schema;
      const accepted = ajv.getSchema(at)(x.value);
      accepted ? count.accepted++ : count.refused++;
      if (accepted !== x[profile]) problem(at, x.name, 'accepted is', accepted);
    }
  }
}
console.log(JSON.stringify(counts));
