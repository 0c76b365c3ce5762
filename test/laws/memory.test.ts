import t from 'tap'
import { unstatedMemory } from './memory.js'
import { sourcesIn } from './sources.js'

t.test('what a worker remembers states its source, its version, its bound, and what drops it', async t => {
  t.same(unstatedMemory(sourcesIn(['server'])), [])
})

t.test('the law finds a part that does not state one of them', async t => {
  const stated =
    '/**\n * Source: rows.\n * Version: none.\n * Bound: five.\n * Dropped: never.\n */\nexport class A {}\n'
  const found = (text: string, path = 'server/memory/a.ts') =>
    unstatedMemory([
      { path, text },
      { path: 'server/api/x.ts', text: "import { A } from '../memory/a.js'" },
      { path: 'server/api/y.ts', text: "import { Memory } from '../memory/memory.js'" },
    ])
  t.same(found(stated), [])
  t.same(found(stated.replace(' * Bound: five.\n', '')), ['server/memory/a.ts does not state: Bound'])
  t.same(found('export class A {}'), ['server/memory/a.ts does not state: Source, Version, Bound, Dropped'])
  t.same(found('export class B {}', 'server/memory/b.ts'), [], 'a detail of the folder')
  t.same(found('export class Memory {}', 'server/memory/memory.ts'), [], 'the list')
})
