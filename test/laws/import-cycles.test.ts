import t from 'tap'
import { importCycles } from './import-cycles.js'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['shared', 'server', 'bench'], ['.ts', '.tsx', '.mjs'])

t.test('in no folder do files or subfolders import each other in a cycle, not even for types', async t => {
  t.ok(sources.length > 50, 'the source tree was found')
  t.same(importCycles(sources), [])
})

const cyclesOf = (texts: Readonly<Record<string, string>>) =>
  importCycles(Object.entries(texts).map(([path, text]) => ({ path, text })))

t.test('the law finds', async t => {
  t.test('two files that import each other, one of them types only, with the lines', async t => {
    const pair = { 'bench/a.ts': "import { b } from './b.js'", 'bench/b.ts': "\nimport type { A } from './a.js'" }
    t.same(cyclesOf(pair), ['bench/a.ts:1 imports bench/b.ts, bench/b.ts:2 imports bench/a.ts'])
  })
  t.test('every file of a longer cycle, through pages, re-exports and dynamic imports', async t => {
    const ring = {
      'server/web/a.tsx': "export * from './b.js'",
      'server/web/b.ts': "import { c } from './c.mjs'",
      'server/web/c.mjs': "const a = await import('./a.js')",
      'server/web/d.ts': "import './a.js'",
    }
    t.same(cyclesOf(ring), [
      'server/web/a.tsx:1 imports server/web/b.ts, server/web/b.ts:1 imports server/web/c.mjs, server/web/c.mjs:1 imports server/web/a.tsx',
    ])
  })
  t.test('each of two cycles', async t => {
    const two = {
      'shared/a.ts': "import './b.js'",
      'shared/b.ts': "import './a.js'\nimport './c.js'",
      'shared/c.ts': "import './d.js'",
      'shared/d.ts': "import './c.js'",
    }
    t.match(cyclesOf(two), [/a\.ts.*b\.ts/, /c\.ts.*d\.ts/])
  })
  t.test('a file that imports itself', async t => {
    t.same(cyclesOf({ 'shared/a.ts': "import { b } from './a.js'" }), ['shared/a.ts:1 imports shared/a.ts'])
  })
  t.test('folders that import each other through different files', async t => {
    const folders = {
      'server/http/a.ts': "import { b } from '../socket/b.js'",
      'server/http/d.ts': '',
      'server/socket/b.ts': '',
      'server/socket/c.ts': "import type { D } from '../http/d.js'",
    }
    t.same(cyclesOf(folders), ['server/http/a.ts:1 imports server/socket, server/socket/c.ts:1 imports server/http'])
  })
  t.test('a folder and a file beside it', async t => {
    const beside = {
      'server/ctx.ts': "import type { E } from './limits/e.js'",
      'server/limits/e.ts': '',
      'server/limits/f.ts': "import type { Ctx } from '../ctx.js'",
    }
    t.same(cyclesOf(beside), ['server/ctx.ts:1 imports server/limits, server/limits/f.ts:1 imports server/ctx.ts'])
  })
  t.test('a ring of areas, at any depth', async t => {
    const areas = {
      'server/actions/groups/a.ts': "import '../users/c.js'",
      'server/actions/messages/b.ts': "import '../groups/a.js'",
      'server/actions/users/c.ts': '',
      'server/actions/users/profile/d.ts': "import '../../messages/b.js'",
    }
    t.same(cyclesOf(areas), [
      'server/actions/groups/a.ts:1 imports server/actions/users, server/actions/users/profile/d.ts:1 imports server/actions/messages, server/actions/messages/b.ts:1 imports server/actions/groups',
    ])
  })
  t.test('the bench and the server', async t => {
    const sides = {
      'bench/a.ts': "import '../server/b.js'",
      'server/b.ts': '',
      'server/c.ts': "import '../bench/a.js'",
    }
    t.same(cyclesOf(sides), ['bench/a.ts:1 imports server, server/c.ts:1 imports bench'])
  })
})

t.test('the law lets pass', async t => {
  const fine = {
    'server/http/a.ts': "import { b } from './b.js'\nimport { c } from '../text/c.js'\nimport 'node:fs'",
    'server/http/b.ts': "import { c } from '../text/c.js'\n// import './a.js'",
    'server/text/c.ts': "import './missing.css'",
  }
  t.same(cyclesOf(fine), [])
})

t.test('the areas of narrow/ and of the store count as parts of the server', async t => {
  const order = {
    'server/narrow/access/a.ts': "import '../../store/pages/b.js'",
    'server/store/pages/b.ts': "import '../../narrow/sql/c.js'",
    'server/narrow/sql/c.ts': "import '../../store/driver/d.js'",
    'server/store/driver/d.ts': '',
  }
  t.same(cyclesOf(order), [])
  t.same(cyclesOf({ ...order, 'server/store/driver/d.ts': "import '../../narrow/sql/c.js'" }), [
    'server/narrow/sql/c.ts:1 imports server/store/driver, server/store/driver/d.ts:1 imports server/narrow/sql',
  ])
  const ring = { ...order, 'server/store/driver/d.ts': "import '../pages/e.js'", 'server/store/pages/e.ts': '' }
  t.match(cyclesOf(ring), [/narrow\/sql\/c\.ts:1 .*driver\/d\.ts:1 .*pages\/b\.ts:1/])
})
