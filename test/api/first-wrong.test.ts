import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { json } from '../../server/api/params.js'

const million = 1_000_000
const schemas: Readonly<Record<string, z.ZodType>> = {
  numbers: z.array(z.int()),
  maybe: z.array(z.string()).nullable(),
  either: z.union([z.array(z.int()), z.array(z.string())]),
  inAnObject: z.object({ ids: z.array(z.int()).default([]), other: z.boolean().optional() }),
  deeper: z.array(z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()), z.null()]) })),
  pairs: z.array(z.tuple([z.string(), z.string()])),
  holders: z.union([z.int(), z.object({ direct_members: z.array(z.int()) })]),
  few: z.array(z.int()).max(3),
  checked: z.array(z.int()).refine(list => list.length % 2 === 0, 'odd'),
}

t.test('of a long list only the first wrong element is complained of', async t => {
  const wrong: readonly [keyof typeof schemas, string][] = [
    ['numbers', `[${'"x",'.repeat(million)}"x"]`],
    ['maybe', `[${'1,'.repeat(million)}1]`],
    ['either', `[${'true,'.repeat(million)}true]`],
    ['inAnObject', `{"ids":[${'"x",'.repeat(million)}"x"]}`],
    ['deeper', `[{"id":1,"value":[${'true,'.repeat(million)}true]}]`],
    ['pairs', `[${'1,'.repeat(million)}1]`],
    ['holders', `{"direct_members":[${'"x",'.repeat(million)}"x"]}`],
  ]
  for (const [name, text] of wrong) {
    const { success, error } = json(schemas[name] as z.ZodType).safeParse(text)
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
    fc.array(fc.integer(), { maxLength: 300, size: 'max' }),
    fc.array(fc.string({ maxLength: 1 }), { maxLength: 300, size: 'max' }),
    fc.array(item, { maxLength: 300, size: 'max' }),
    fc.array(fc.tuple(fc.string({ maxLength: 1 }), item), { maxLength: 300, size: 'max' }),
    fc.array(fc.record({ id: fc.integer(), value: fc.oneof(item, fc.array(item, { maxLength: 200, size: 'max' })) })),
  )
  const value = fc.oneof(list, item, fc.record({ ids: list }), fc.record({ direct_members: list, other: item }))
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(schemas)), value, (schema, given) => {
      const [whole, short] = [schema.safeParse(given), json(schema).safeParse(JSON.stringify(given))]
      t.equal(short.success, whole.success)
      if (whole.success) t.same(short.data, whole.data)
      else {
        // What is wrong with the list itself, its length for example, may not be seen any more.
        const [first] = whole.error.issues
        if (first && first.path.length > 0) t.same(short.error?.issues[0]?.path, first.path)
      }
    }),
    { numRuns: 300 },
  )
})
