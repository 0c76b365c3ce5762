import t from 'tap'
import { fileCycles, folderCycles } from './import-cycles.js'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['shared', 'server', 'bench'], ['.ts', '.tsx', '.mjs'])

t.test('no files import each other in a cycle, not even for types', async t => {
  t.ok(sources.length > 50, 'the source tree was found')
  t.same(fileCycles(sources), [])
})

t.test('no folders of the server import each other in a cycle', async t => {
  t.same(folderCycles(sources), [])
})

const sourcesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text }))

t.test('the law finds', async t => {
  t.test('two files that import each other, one of them types only, with the lines', async t => {
    const pair = { 'bench/a.ts': "import { b } from './b.js'", 'bench/b.ts': "\nimport type { A } from './a.js'" }
    t.same(fileCycles(sourcesOf(pair)), ['bench/a.ts:1 imports bench/b.ts, bench/b.ts:2 imports bench/a.ts'])
  })
  t.test('every file of a longer cycle, through pages, re-exports and dynamic imports', async t => {
    const ring = {
      'server/web/a.tsx': "export * from './b.js'",
      'server/web/b.ts': "import { c } from '../c.mjs'",
      'server/c.mjs': "const a = await import('./web/a.js')",
      'server/d.ts': "import './web/a.js'",
    }
    t.same(fileCycles(sourcesOf(ring)), [
      'server/c.mjs:1 imports server/web/a.tsx, server/web/a.tsx:1 imports server/web/b.ts, server/web/b.ts:1 imports server/c.mjs',
    ])
  })
  t.test('each of two cycles', async t => {
    const two = {
      'shared/a.ts': "import './b.js'",
      'shared/b.ts': "import './a.js'\nimport './c.js'",
      'shared/c.ts': "import './d.js'",
      'shared/d.ts': "import './c.js'",
    }
    t.match(fileCycles(sourcesOf(two)), [/a\.ts.*b\.ts/, /c\.ts.*d\.ts/])
  })
  t.test('a file that imports itself', async t => {
    t.same(fileCycles(sourcesOf({ 'shared/a.ts': "import { b } from './a.js'" })), [
      'shared/a.ts:1 imports shared/a.ts',
    ])
  })
  t.test('folders that import each other through different files, and a folder and a file beside it', async t => {
    const folders = {
      'server/http/a.ts': "import { b } from '../socket/b.js'",
      'server/socket/c.ts': "import type { D } from '../http/d.js'",
      'server/http/d.ts': '',
      'server/socket/b.ts': '',
      'server/ctx.ts': "import type { E } from './limits/e.js'",
      'server/limits/e.ts': "import type { Ctx } from '../ctx.js'",
    }
    t.same(fileCycles(sourcesOf(folders)).length, 1, 'only the last two files')
    t.match(folderCycles(sourcesOf(folders)), [/ctx\.ts:1 imports server\/limits, /, /http\/a\.ts:1 .*socket\/c\.ts:1/])
  })
})

t.test('the law finds a cycle between areas of a folder', async t => {
  const ring = {
    'server/store/channels/a.ts': "import { b } from '../users/b.js'",
    'server/store/users/b.ts': "import { c } from '../channels/c.js'",
    'server/store/channels/c.ts': '',
  }
  t.match(folderCycles(sourcesOf(ring)), [/store\/channels\/a.ts:1 imports server\/store\/users/])
})

t.test('the law lets pass', async t => {
  const fine = {
    'server/http/a.ts': "import { b } from './b.js'\nimport { c } from '../text/c.js'\nimport 'node:fs'",
    'server/http/b.ts': "import { c } from '../text/c.js'\n// import './a.js'",
    'server/text/c.ts': "import './missing.css'",
  }
  t.same(fileCycles(sourcesOf(fine)), [])
  t.same(folderCycles(sourcesOf(fine)), [])
})
