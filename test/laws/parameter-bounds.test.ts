import t from 'tap'
import { z } from 'zod'
import { routes } from '../../server/api/index.js'
import { type Route, route } from '../../server/api/route.js'
import { boundlessParameters } from './parameter-bounds.js'

t.test('every list, record and text of every operation says how large it may be', async t => {
  t.ok(routes.length > 80)
  t.same(routes.flatMap(boundlessParameters), [])
})

const sample = (param: z.ZodType): Route =>
  route({
    operation: 'sample',
    method: 'POST',
    path: '/sample',
    doc: 'A sample.',
    allow: 'anyone',
    params: z.object({ it: param }),
    returns: z.object({}),
    errors: [],
    handle: async () => ({}),
  })

t.test('the law finds', async t => {
  const text = z.string().max(5)
  const found = (param: z.ZodType) => boundlessParameters(sample(param))
  t.same(found(z.array(text).max(5)), [])
  t.same(found(z.record(text, z.boolean()).meta({ maxProperties: 3 })), [])
  t.same(found(z.union([z.literal('x'), z.enum(['a', 'b']), z.int(), text]).optional()), [])
  t.same(found(z.string()), ['sample.it has no maxLength'])
  t.same(found(z.string().nullable().default('x')), ['sample.it has no maxLength'])
  t.same(found(z.array(z.int())), ['sample.it has no maxItems'])
  t.same(found(z.array(z.string()).max(5)), ['sample.it[] has no maxLength'])
  t.same(found(z.tuple([text, z.string()])), ['sample.it[] has no maxLength'])
  t.same(found(z.record(text, z.int())), ['sample.it has no maxProperties'])
  t.same(found(z.record(text, z.string()).meta({ maxProperties: 3 })), ['sample.it{} has no maxLength'])
  t.same(found(z.object({ ids: z.array(z.int()).default([]) })), ['sample.it.ids has no maxItems'])
  t.same(found(z.union([text, z.array(z.array(z.int())).max(2)])), ['sample.it[] has no maxItems'])
  t.same(found(z.preprocess(value => value, z.array(z.int()))), ['sample.it has no maxItems'])
})
