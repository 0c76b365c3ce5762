import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'

const { compileFiles } = await import(pathToFileURL(join(projectRoot, 'server/bin/compile-files.mjs')).href)

/** A folder with these sources; `compile` resolves with false or with how to read an output. */
function sources(t: Test, texts: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'parley-sources-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(root, 'area'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, name), text)
  const dist = join(root, 'dist')
  return { dist, compile: (): Promise<boolean> => compileFiles(Object.keys(texts), { root, dist }) }
}

t.test('the output of a source runs without its types, and its map names the lines of the source', async t => {
  const { dist, compile } = sources(t, {
    'area/counter.ts': [
      "import type { Missing } from './missing.js'",
      '',
      'export class Counter {',
      '  readonly twice = 2',
      '  constructor(private readonly start: number) {}',
      '  of(more: Missing): number {',
      '    return this.start + (more as unknown as number) * this.twice',
      '  }',
      '}',
    ].join('\n'),
  })
  t.equal(await compile(), true)
  const output = join(dist, 'area/counter.js')
  const { Counter } = await import(pathToFileURL(output).href)
  t.equal(new Counter(1).of(3), 7)

  const lines = readFileSync(output, 'utf8').split('\n')
  t.ok(lines.includes('//# sourceMappingURL=counter.js.map'))
  const map = JSON.parse(readFileSync(`${output}.map`, 'utf8'))
  t.same([map.file, map.sources, map.sourcesContent], ['counter.js', ['../../area/counter.ts'], undefined])
  const line = lines.findIndex(text => text.includes('return'))
  t.match(new SourceMap(map).findEntry(line, (lines[line] ?? '').indexOf('return')), { originalLine: 6 })
})

for (const [what, text] of [
  ['an error of syntax', 'export const = 1'],
  ['an output that would import what is not installed', 'export const page = String.raw`<script></script>`'],
] as const) {
  t.test(`${what} leaves all outputs as they are`, async t => {
    const { dist, compile } = sources(t, { 'right.ts': 'export const x = 1', 'other.ts': text })
    t.equal(await compile(), false)
    t.notOk(existsSync(dist))
  })
}

t.test('a source that is gone is refused', async t => {
  const { dist } = sources(t, {})
  await t.rejects(compileFiles(['gone.ts'], { root: join(dist, '..'), dist }), { code: 'ENOENT' })
})
