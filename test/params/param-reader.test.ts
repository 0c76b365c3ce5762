import t from 'tap'
import { z } from 'zod'
import type { Route } from '../../server/api/route.js'
import { ParamReader } from '../../server/params/param-reader.js'
import { boolean, integer, json, text, word } from '../../server/params/schemas.js'

const reader = (params: z.ZodObject, pathNames: string[] = []) =>
  new ParamReader({ operation: 'test', params } as Route, pathNames)
const read = (params: z.ZodObject, sent: Record<string, unknown>) =>
  reader(params).read(new Map(Object.entries(sent)), [])
const refused = (params: z.ZodObject, sent: Record<string, unknown>) => {
  try {
    read(params, sent)
    return { code: 'none' }
  } catch (error) {
    return (error as { body(): Record<string, unknown> }).body()
  }
}

const schema = z.object({
  count: integer({ min: 0, max: 10 }),
  flag: boolean().default(false),
  note: text().optional(),
  kind: word('a', 'b').optional(),
  ids: json(z.array(z.int())).optional(),
  deep: json(z.array(z.object({ name: z.string(), at: z.array(z.int()).optional() }))).optional(),
  maybe: json(z.string().nullable()).optional(),
})

t.test('text and values give the same', async t => {
  const wanted = { count: 5, flag: true, note: 'n', kind: 'b', ids: [1, 2] }
  t.same(read(schema, { count: '5', flag: 'true', note: 'n', kind: '"b"', ids: '[1,2]' }).params, wanted)
  t.same(read(schema, { count: 5, flag: true, note: 'n', kind: 'b', ids: [1, 2] }).params, wanted)
})

t.test('raw text stays raw, also when it looks like JSON', async t => {
  for (const note of ['5', 'true', 'null', '"quoted"', '[1]', ' ', '', '\0']) {
    t.equal(read(schema, { count: 1, note }).params.note, note)
  }
})

t.test('the error names the first wrong parameter in the order of declaration', async t => {
  t.match(refused(schema, { flag: 'x', kind: 'y' }), { code: 'REQUEST_VARIABLE_MISSING', var_name: 'count' })
  t.match(refused(schema, { kind: 'y', flag: 'x', count: '1' }), { code: 'BAD_REQUEST', msg: /flag/ })
})

t.test('a missing parameter is not an invalid one', async t => {
  t.match(refused(schema, {}), { code: 'REQUEST_VARIABLE_MISSING', var_name: 'count' })
  t.match(refused(schema, { count: '' }), { code: 'BAD_REQUEST' })
  t.match(refused(schema, { count: null }), { code: 'BAD_REQUEST' })
  t.match(refused(schema, { count: 'null' }), { code: 'BAD_REQUEST' })
})

t.test('what is no JSON, of another type or outside its limits is refused', async t => {
  for (const count of ['x', '1.5', '-1', '11', '"5"', 'true', '[]', '1e400', 'NaN', '0x5', '5 5', 1.5, {}, true]) {
    t.match(refused(schema, { count }), { code: 'BAD_REQUEST', msg: /count/ }, String(count))
  }
  t.match(refused(schema, { count: 'x' }).msg, /not valid JSON/)
  for (const flag of ['yes', '1', 'True', 'TRUE', 1])
    t.match(refused(schema, { count: 1, flag }), { code: 'BAD_REQUEST' })
  for (const kind of ['c', '"c"', '', 1]) t.match(refused(schema, { count: 1, kind }), { code: 'BAD_REQUEST' })
  t.match(refused(schema, { count: 1, note: 5 }), { code: 'BAD_REQUEST', msg: /note/ })
})

t.test('the message names the place within a value', async t => {
  t.match(refused(schema, { count: 1, ids: '[1,"x"]' }).msg, /^ids\[1\]: /)
  t.match(
    refused(schema, { count: 1, deep: '[{"name":"a"},{"name":"b","at":[0,null]}]' }).msg,
    /^deep\[1\]\["at"\]\[1\]: /,
  )
  const either = z.object({ group: json(z.union([z.int(), z.object({ direct_members: z.array(z.int()) })])) })
  t.match(refused(either, { group: '{"direct_members":[1,"x"]}' }).msg, /^group\["direct_members"\]\[1\]: /)
  t.match(refused(either, { group: '"x"' }), { code: 'BAD_REQUEST', msg: /^group: / })
  t.match(refused(either, {}), { code: 'REQUEST_VARIABLE_MISSING', var_name: 'group' })
})

t.test('null leaves an optional JSON parameter unset, as text too, unless null is a value of it', async t => {
  t.same(read(schema, { count: 1, ids: 'null', flag: 'null', kind: 'null' }).params, { count: 1, flag: false })
  t.same(read(schema, { count: 1, ids: null, note: null }).params, { count: 1, flag: false })
  t.same(read(schema, { count: 1, maybe: 'null' }).params, { count: 1, flag: false, maybe: null })
})

t.test('names that the operation does not have are listed, sorted; known ones never', async t => {
  t.same(read(schema, { zebra: 1, count: 1, apple: 2, ids: 'null' }).ignored, ['apple', 'zebra'])
  t.same(read(schema, { count: 1, __proto__x: 1, constructor: 2 }).ignored, ['__proto__x', 'constructor'])
  t.same(
    reader(schema).read(
      new Map<string, unknown>([
        ['count', 1],
        ['__proto__', 'x'],
      ]),
      [],
    ).ignored,
    ['__proto__'],
  )
  t.same(read(schema, { count: 1 }).ignored, [])
})

t.test('a path parameter comes from the path alone; sent again it is not supported', async t => {
  const byId = reader(z.object({ user_id: integer(), note: text().optional() }), ['user_id'])
  t.same(byId.read(new Map([['user_id', '9']]), ['7']), { params: { user_id: 7 }, ignored: ['user_id'] })
})

t.test('a rule over several parameters is described as it is written', async t => {
  const pair = z.object({ a: integer().optional(), b: integer().optional() }).refine(p => p.a || p.b, 'Give a or b.')
  t.match(refused(pair, {}), { code: 'BAD_REQUEST', msg: 'Give a or b.' })
})
