import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import type { Route } from '../../server/api/route.js'
import { ParamReader } from '../../server/params/param-reader.js'
import { cutList, json, list, listWithRepeats } from '../../server/params/schemas.js'
import { ApiError } from '../../shared/errors.js'

const many = 20_000
const most = 30_000
const schemas: Readonly<Record<string, z.ZodType>> = {
  numbers: list(z.int(), most),
  maybe: list(z.string(), most).nullable(),
  either: z.union([list(z.int(), most), list(z.string(), most)]),
  inAnObject: z.object({ ids: list(z.int(), most).default([]), other: z.boolean().optional() }),
  deeper: list(z.object({ id: z.int(), value: z.union([z.string(), list(z.int(), most), z.null()]) }), most),
  pairs: list(z.tuple([z.string(), z.string()]), most),
  holders: z.union([z.int(), z.object({ direct_members: list(z.int(), most) })]),
  few: list(z.int(), 3),
  checked: list(z.int(), most).refine(items => items.length % 2 === 0, 'odd'),
}
/** The same schemas without the cuts of `list`. */
const wholes: Readonly<Record<string, z.ZodType>> = {
  numbers: z.array(z.int()),
  maybe: z.array(z.string()).nullable(),
  either: z.union([z.array(z.int()), z.array(z.string())]),
  inAnObject: z.object({ ids: z.array(z.int()).default([]), other: z.boolean().optional() }),
  deeper: z.array(z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()), z.null()]) })),
  pairs: z.array(z.tuple([z.string(), z.string()])),
  holders: z.union([z.int(), z.object({ direct_members: z.array(z.int()) })]),
  few: z.array(z.int()).max(3),
  checked: z.array(z.int()).refine(items => items.length % 2 === 0, 'odd'),
}

t.test('of a long list only the first wrong element is complained of', async t => {
  const words = Array.from({ length: many }, (_, i) => `x${i}`)
  const wrong: readonly [keyof typeof schemas, unknown][] = [
    ['numbers', words],
    ['maybe', words.map((_, i) => i)],
    ['either', words.map(word => [word])],
    ['inAnObject', { ids: words }],
    ['deeper', [{ id: 1, value: words.map(word => [word]) }]],
    ['pairs', words.map((_, i) => i)],
    ['holders', { direct_members: words }],
  ]
  for (const [name, value] of wrong) {
    const { success, error } = json(schemas[name] as z.ZodType).safeParse(JSON.stringify(value))
    t.equal(success, false, name)
    const count = (issues: readonly z.core.$ZodIssue[]): number =>
      issues.reduce((sum, issue) => sum + (issue.code === 'invalid_union' ? count(issue.errors.flat()) : 1), 0)
    t.ok(count(error?.issues ?? []) < 10, name)
  }
})

t.test('a list is taken or refused as it would be whole', async t => {
  const item = fc.oneof(
    { weight: 20, arbitrary: fc.integer() },
    { weight: 20, arbitrary: fc.string({ maxLength: 2 }) },
    fc.boolean(),
    fc.constant(null),
  )
  const list = fc.oneof(
    fc.uniqueArray(fc.integer(), { maxLength: 300, size: 'max' }),
    fc.uniqueArray(fc.string({ maxLength: 2 }), { maxLength: 300, size: 'max' }),
    fc.uniqueArray(item, { maxLength: 300, size: 'max' }),
    fc.array(fc.tuple(fc.string({ maxLength: 1 }), item), { maxLength: 300, size: 'max' }),
    fc.array(
      fc.record({ id: fc.integer(), value: fc.oneof(item, fc.uniqueArray(item, { maxLength: 200, size: 'max' })) }),
    ),
  )
  const value = fc.oneof(list, item, fc.record({ ids: list }), fc.record({ direct_members: list, other: item }))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(schemas)), value, (name, given) => {
      const [schema, cut] = [wholes[name], schemas[name]] as [z.ZodType, z.ZodType]
      const [whole, short] = [schema.safeParse(given), json(cut).safeParse(JSON.stringify(given))]
      t.equal(short.success, whole.success)
      if (whole.success) t.same(short.data, whole.data)
      else {
        // Errors of the list itself, such as its length, may be missing.
        const [first] = whole.error.issues
        if (first && first.path.length > 0) t.same(short.error?.issues[0]?.path, first.path)
      }
    }),
    { numRuns: 300 },
  )
})

t.test('a list of texts or numbers is taken without its duplicates, and they count for its bound', async t => {
  const taken: readonly [z.ZodType, unknown, unknown][] = [
    [list(z.int(), 5), [1, 2, 1, 2, 2], [1, 2]],
    [list(z.string(), 3), ['b', 'a', 'b'], ['b', 'a']],
    [
      list(
        z.string().transform(text => text.length),
        3,
      ),
      ['b', 'b', 'aa'],
      [1, 2],
    ],
    [z.union([list(z.int(), 2), list(z.string(), 2)]), ['x', 'x'], ['x']],
    [z.object({ ids: list(z.int(), 2).default([]) }), { ids: [7, 7] }, { ids: [7] }],
    [list(list(z.int(), 2), 2), [[1, 1], [1]], [[1], [1]]],
    [cutList(z.string(), 2), ['a', 'a'], ['a', 'a']],
  ]
  for (const [schema, given, wanted] of taken) t.same(json(schema).parse(JSON.stringify(given)), wanted)
  const refused: readonly [z.ZodType, unknown][] = [
    [list(z.int(), 2), [1, 1, 1]],
    [list(z.int(), 2), [1, 1, 'x']],
    [list(z.string(), 1), ['a', 'A']],
    [z.object({ ids: list(z.int(), 1) }), { ids: [7, 8] }],
    [listWithRepeats(z.int(), 2), [1, 2, 2]],
    // Equal objects may be different items.
    [list(z.object({ id: z.int() }), 1), [{ id: 1 }, { id: 1 }]],
  ]
  for (const [schema, given] of refused) t.notOk(json(schema).safeParse(JSON.stringify(given)).success)
})

const long = (most: number) => `[${'1,'.repeat(most)}1]`
const lists: readonly [string, z.ZodType, (list: string) => string, path: readonly (string | number)[]][] = [
  ['alone', list(z.int(), 100), list => list, []],
  ['or null', list(z.int(), 100).nullable(), list => list, []],
  ['with a default', list(z.int(), 100).default([]), list => ` \n${list}`, []],
  ['with a transform', list(z.int(), 100).transform(items => items.length), list => list, []],
  ['that keeps repeats', listWithRepeats(z.int(), 100), list => list, []],
  ['of one of two kinds', z.union([list(z.string(), 100), list(z.int(), 50)]), list => list, []],
  [
    'in an object',
    z.object({ a: list(z.int(), 3), ids: list(z.int(), 100) }),
    list => `{"a":[],"ids":${list}}`,
    ['ids'],
  ],
  ['behind a text', z.object({ ids: list(z.int(), 100) }), list => `{"x":"[\\"],{","ids" : ${list}}`, ['ids']],
  [
    'of objects with lists',
    list(z.object({ id: z.int(), value: z.union([z.string(), list(z.int(), 100)]) }), 5),
    list => `[{"id":1,"value":"a,b"},{"id":2,"value":${list}}]`,
    [1, 'value'],
  ],
  ['of lists', list(list(z.int(), 100), 5), list => `[[1,2],[],${list}]`, [2]],
  ['of pairs', list(z.tuple([z.int(), z.int()]), 100), list => list.replaceAll('1', '[1,1]'), []],
]
for (const [name, schema, text, path] of lists) {
  t.test(`a list ${name} is counted before it is parsed: beyond its bound, what follows need not be JSON`, async t => {
    const { error } = json(schema).safeParse(text(long(100)).slice(0, -1))
    t.match(error?.issues, [{ code: 'custom', message: 'Too many: at most 100 items.' }])
    t.same(error?.issues[0]?.path, path)
    const within = json(schema).safeParse(text(long(99)).slice(0, -1))
    t.equal(within.success, false)
    t.notMatch(JSON.stringify(within.error?.issues), /Too many/)
    if (name !== 'of one of two kinds') t.ok(json(schema).safeParse(text(long(99))).success)
  })
}

t.test('commas in texts, objects and deeper lists do not count', async t => {
  const schema = json(list(z.union([z.string(), z.array(z.int()), z.object({ a: z.int(), b: z.int() })]), 3))
  for (const text of [
    JSON.stringify([','.repeat(100), '\\",'.repeat(20), 'x']),
    `[ [${'1,'.repeat(100)}1], [], [ ] ]`,
    JSON.stringify([{ a: 1, b: 2 }, { a: 1, b: 2 }, 'y'.repeat(100)]),
  ]) {
    t.same(schema.parse(text), JSON.parse(text))
  }
})

t.test('an operation with an error of its own for long lists refuses by it', async t => {
  const refusal = (depth: number) => new ApiError('BAD_NARROW', `depth ${depth}`, { desc: '' })
  const narrow = json(cutList(z.array(z.unknown()), 3), { lists: [3, 2, 40], refusal })
  const term = '["dm",[1]]'
  for (const [text, depth] of [
    [`[${term},${term},${term},[`, 0],
    [`[${term},["a","b","c${'c'.repeat(40)}`, 1],
    [`[${term},["a",${long(40)}`, 2],
  ] as const) {
    const reader = new ParamReader({ operation: 'test', params: z.object({ narrow }) } as unknown as Route, [])
    t.throws(() => reader.read(new Map([['narrow', text]]), []), { code: 'BAD_NARROW', message: `depth ${depth}` })
  }
  t.equal(narrow.parse(`[${term},${term},["dm",${long(39)}]]`).length, 3)
})

t.test('beyond its bound a list is refused without a look at each item', async t => {
  let looked = 0
  const item = z.int().refine(() => ++looked > 0)
  const numbers = JSON.stringify(Array.from({ length: 45_000 }, (_, i) => i))
  const { success, error } = json(list(item, 10)).safeParse(numbers)
  t.notOk(success)
  t.equal(error?.issues[0]?.message, 'Too many: at most 10 items.')
  t.equal(looked, 0)
})

t.test('a list whose bound the operation checks is cut to one item more than that', async t => {
  const cut = cutList(z.object({ id: z.int() }), 3)
  const given = Array.from({ length: many }, (_, id) => ({ id }))
  t.same(cut.parse(given), given.slice(0, 4))
  t.same(cut.parse(given.slice(0, 3)), given.slice(0, 3))
})
