import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { cutList, json, list, listWithRepeats } from '../../server/params/schemas.js'

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

t.test('a list of texts or numbers is taken without its duplicates, and they do not count for its bound', async t => {
  const taken: readonly [z.ZodType, unknown, unknown][] = [
    [list(z.int(), 2), [1, 2, 1, 2, 2], [1, 2]],
    [list(z.string(), 2), ['b', 'a', 'b'], ['b', 'a']],
    [
      list(
        z.string().transform(text => text.length),
        2,
      ),
      ['b', 'b', 'aa'],
      [1, 2],
    ],
    [z.union([list(z.int(), 1), list(z.string(), 1)]), ['x', 'x'], ['x']],
    [z.object({ ids: list(z.int(), 1).default([]) }), { ids: [7, 7] }, { ids: [7] }],
    [list(list(z.int(), 1), 2), [[1, 1], [1]], [[1], [1]]],
    [cutList(z.string(), 2), ['a', 'a'], ['a', 'a']],
  ]
  for (const [schema, given, wanted] of taken) t.same(json(schema).parse(JSON.stringify(given)), wanted)
  const refused: readonly [z.ZodType, unknown][] = [
    [list(z.int(), 2), [1, 2, 3, 3]],
    [list(z.int(), 2), [1, 1, 'x']],
    [list(z.string(), 1), ['a', 'A']],
    [z.object({ ids: list(z.int(), 1) }), { ids: [7, 8] }],
    [listWithRepeats(z.int(), 2), [1, 2, 2]],
    // Equal objects may be different items.
    [list(z.object({ id: z.int() }), 1), [{ id: 1 }, { id: 1 }]],
  ]
  for (const [schema, given] of refused) t.notOk(json(schema).safeParse(JSON.stringify(given)).success)
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
  t.same(json(cut).parse(JSON.stringify(given)), given.slice(0, 4))
  t.same(json(cut).parse(JSON.stringify(given.slice(0, 3))), given.slice(0, 3))
})
