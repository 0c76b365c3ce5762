import t from 'tap'
import { z } from 'zod'
import { routes } from '../../server/api/index.js'
import { type Route, route } from '../../server/api/route.js'
import { ownOperations, ownParameters, wireOperations } from '../support/operations.js'
import { operationComplaints } from './operations.js'

t.test('every operation of tier 1 is there, and every operation has the parameters of the reference', async t => {
  t.equal(wireOperations.filter(({ tier }) => tier === 1).length, 74)
  t.equal(wireOperations.filter(({ tier }) => tier === 2).length, 73)
  t.same(operationComplaints(routes), [])
})

t.test('what is excused is there', async t => {
  const operations = new Set(routes.map(({ operation }) => operation))
  t.same(
    Object.keys(ownOperations).filter(name => !operations.has(name)),
    [],
  )
  t.same(
    Object.keys(ownParameters).filter(name => !operations.has(name.split('.')[0] as string)),
    [],
  )
})

const sample = (params: Record<string, z.ZodType>, changes: Partial<Route> = {}): Route => ({
  ...route({
    operation: 'get_stream_id',
    method: 'GET',
    path: '/get_stream_id',
    doc: 'The id of a channel.',
    allow: 'anyone',
    params: z.object(params),
    returns: z.object({}),
    errors: [],
    handle: async () => ({}),
  }),
  ...changes,
})
const about = (one: Route) => operationComplaints([one]).filter(complaint => complaint.startsWith('get_stream_id'))

t.test('the law finds', async t => {
  t.same(about(sample({ stream: z.string() })), [])
  t.match(about(sample({})), [/parameter stream is missing/])
  t.match(about(sample({ stream: z.string(), id: z.string() })), [/parameter id is not a reference parameter/])
  t.match(about(sample({ stream: z.string().optional() })), [/stream is optional/])
  t.match(about(sample({}, { path: '/get_stream_number' })), [/is not there/, /is not a reference operation/])
  const typing = { ...sample({}), operation: 'get_topics', path: '/users/me/{stream_id}/topics' }
  const withDefault = {
    ...typing,
    params: z.object({ stream_id: z.int(), allow_empty_topic_name: z.boolean().default(true) }),
  }
  t.match(operationComplaints([withDefault]).join('\n'), /allow_empty_topic_name has the default true, not false/)
})
