import t from 'tap'
import { moduleState } from './module-state.js'
import { sourcesIn } from './sources.js'

t.test('no module keeps state', async t => {
  t.same(moduleState(sourcesIn(['shared', 'server'], ['.ts', '.tsx', '.mjs'])), [])
})

const found = (text: string, path = 'server/x.ts') => moduleState([{ path, text }])

t.test('the law finds', async t => {
  for (const [title, text] of [
    ['a variable', 'let count = 0'],
    ['a variable that is exported', 'export let count: number'],
    ['variables that are taken apart', 'let { a, b } = given'],
    ['an older variable', 'var [a] = given'],
    ['a map', 'const known = new Map<string, number>()'],
    ['a map of a type that can be written', 'export const known: Map<string, number> = new Map()'],
    ['a set on the next line', 'const known =\n  new Set<string>()'],
    ['a weak map', 'const known = new WeakMap<Row, string>()'],
    ['a weak map whose type is readonly', 'const known: ReadonlyMap<string, number> = new WeakMap()'],
    ['a weak set', 'const counting = new WeakSet<object>()'],
    ['a cache', 'const hashes = new LRUCache<string, string>({ max: 5 })'],
    ['an object of a class', 'const order = new KnownRows()'],
    ['a map in an object, behind a function', 'const memory = {\n  of: (id: number) => id,\n  known: new Map(),\n}'],
    ['an empty list', 'const waiting: number[] = []'],
    ['an empty object', 'const counts: Record<string, number> = {}'],
    ['an object that the module writes', 'const counts = { a: 0 }\n\nexport function count() {\n  counts.a++\n}'],
    ['a list that the module writes', 'const last = [1]\n\nconst note = (id: number) => {\n  last.push(id)\n}'],
    ['a place that the module writes', 'const last = [1]\n\nconst note = (id: number) => {\n  last[0] = id\n}'],
    ['a function with a variable of its own', 'const next = (() => {\n  let id = 0\n  return () => ++id\n})()'],
    ['a limit of work', 'const atOnce = pLimit(2)'],
    ['a signal of a page', 'const [shown, setShown] = createSignal(false)'],
    ['a field of a class', 'class A {\n  static count = 0\n}'],
    ['a map of a class', 'class A {\n  private static readonly known = new Map<string, A>()\n}'],
  ] as const) {
    t.match(found(text), [/ keeps state in a module$/], title)
  }
  t.match(found('const a = 1\n\nconst known = new Map()\n'), [/^server\/x\.ts:3 /], 'with its line')
})

t.test('the law lets pass', async t => {
  for (const [title, text] of [
    ['what a function makes', 'function f() {\n  let count = 0\n  const known = new Map()\n}'],
    ['a function that makes a map', 'const make = (): Map<string, number> => new Map()'],
    [
      'a function with a body',
      'const make = (id: number) => {\n  const known = new Map()\n  return known.set(id, 1)\n}',
    ],
    ['an object of functions', 'const a = {\n  make() {\n    return new Map()\n  },\n}'],
    ['a table', "const known: ReadonlyMap<string, number> = new Map([['a', 1]])"],
    ['a set whose type is readonly', "export const names: ReadonlySet<string> = new Set(['a'])"],
    ['a list without repetitions', 'export const names: readonly string[] = [...new Set(all)]'],
    ['an empty list that stays empty', 'const none: readonly number[] = []'],
    ['an empty array of a fixed length', 'const noUsers = new Int32Array()'],
    ['a regular expression', "const name = new RegExp('a', 'u')"],
    ['a field of each object', 'class A {\n  private readonly known = new Map<string, A>()\n}'],
    ['a method of a class', 'class A {\n  static of(id: number): A {\n    return new A(id)\n  }\n}'],
    ['a constant of a class', "class A {\n  static readonly kind = 'a'\n}"],
    ['words', "// let count = 0\nconst a = 'let b = new Map()'"],
  ] as const) {
    t.same(found(text), [], title)
  }
  t.same(found('let count = 0', 'test/x.ts'), [], 'what tests keep')
  t.same(found('let count = 0', 'server/main.ts'), [], 'what a program keeps')
})
