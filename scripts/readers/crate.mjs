// Validates RO-Crates, each in the folder that an argument names: the root and its properties and
// the files by ro-crate's validator, and that every property is a term of the context. Nothing is
// asked for over the network: the context is the one that ro-crate has.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
const require = createRequire(import.meta.url)
const context = require('ro-crate/lib/context.json')
globalThis.fetch = async () => ({ ok: true, json: async () => context })
const { Validator } = require('ro-crate/lib/validator')
const terms = context['@context']
let wrong = 0
for (const dir of process.argv.slice(2)) {
	const read = () => JSON.parse(fs.readFileSync(path.join(dir, 'ro-crate-metadata.json')))
	const v = new Validator()
	v.parseJSON(read())
	await v.crate.resolveContext()
	await v.validate()
	const files = {}
	for (const f of fs.readdirSync(dir, { recursive: true })) {
		if (fs.statSync(path.join(dir, f)).isFile() && f !== 'ro-crate-metadata.json') files[encodeURI(f)] = { exists: true }
	}
	v.checkFiles(files)
	const faults = v.results.filter(r => r.status !== 'success').map(r => `${r.status}: ${r.message} ${r.entity ?? ''}`)
	const { '@context': [used, own], '@graph': graph } = read()
	if (used !== 'https://w3id.org/ro/crate/1.1/context') faults.push('another context: ' + used)
	const ids = new Set(graph.map(e => e['@id']))
	if (ids.size !== graph.length) faults.push('an @id stands twice')
	for (const e of graph) {
		for (const [name, value] of Object.entries(e)) {
			if (!name.startsWith('@') && !terms[name] && !own[name]) faults.push(`${e['@id']}: ${name} is not in the context`)
			for (const x of [value].flat()) {
				if (x?.['@id'] && name !== 'conformsTo' && !ids.has(x['@id'])) faults.push(`${e['@id']}: ${name} refers to ${x['@id']}, which is not described`)
			}
		}
	}
	if (v.results.length < 8) faults.push('the validator has looked at too little')
	console.log(`${dir}: ${v.results.length - faults.length} rules hold, ${graph.length} entities, ${faults.length} faults`)
	faults.forEach(f => console.log('  ' + f))
	wrong += faults.length
}
process.exit(wrong ? 1 : 0)
