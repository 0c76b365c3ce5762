import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { dataDirectory } from '../places.js'
import { makeTarball, run } from './consumer.js'

type Manifest = { version: string; dependencies: Record<string, string>; exports: Record<string, unknown> }

const own = JSON.parse(readFileSync(join(projectRoot, 'shared/package.json'), 'utf8')) as Manifest
const whole = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Manifest

const unpacked = dataDirectory(t)
run(unpacked, 'tar', 'xzf', makeTarball(t))
const files = run(unpacked, 'find', '.', '-type', 'f').trim().split('\n').sort()
const read = (file: string) => readFileSync(join(unpacked, file), 'utf8')
const programs = files.filter(file => /\.m?js$/.test(file))
const importsOf = (file: string) =>
  [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, of]) => String(of))

t.test('has the client, its types, its papers and the example, and nothing else', async t => {
  const folders = new Set(files.map(file => file.replace(/^\.\/package\//, '').replace(/\/.*/, '/')))
  t.same(
    [...folders].sort(),
    [
      'LICENSE',
      'README.md',
      'capabilities.d.ts',
      'client/',
      'errors.d.ts',
      'events/',
      'examples/',
      'limits.d.ts',
      'package.json',
      'resources/',
      'wire/',
    ].sort(),
  )
  const types = files.filter(file => file.endsWith('.d.ts'))
  for (const file of programs.filter(file => !file.includes('/examples/'))) {
    t.ok(types.includes(file.replace(/\.js$/, '.d.ts')), `${file} has types`)
  }
  const schemas = programs.filter(file => /\/(events|resources)\//.test(file))
  t.same(schemas, [], 'no program of the schemas: a client uses their types')
})

t.test('its programs import each other and the MessagePack library, nothing of Node', async t => {
  const foreign = programs
    .filter(file => !file.includes('/examples/'))
    .flatMap(importsOf)
    .filter(of => !of.startsWith('./') && !of.startsWith('../'))
  t.same([...new Set(foreign)], ['msgpackr'])
  t.notOk(foreign.some(of => builtinModules.includes(of) || of.startsWith('node:')))
})

t.test('every file that a type or a program imports is there', async t => {
  const missing = files
    .filter(file => /\.(js|d\.ts)$/.test(file))
    .flatMap(file =>
      importsOf(file)
        .filter(of => of.startsWith('.'))
        .map(of => `./${join(file, '..', of)}`.replace(/\.js$/, file.endsWith('.d.ts') ? '.d.ts' : '.js')),
    )
    .filter(file => !files.includes(file))
  t.same(missing, [])
})

t.test('depends on what the server is tested with, in the same versions', async t => {
  const depends = Object.entries(own.dependencies)
  t.same(
    depends,
    depends.map(([name]) => [name, whole.dependencies[name]]),
  )
  t.equal(own.version, whole.version)
})
