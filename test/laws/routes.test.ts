import t from 'tap'
import { z } from 'zod'
import { routes } from '../../server/api/index.js'
import { type Route, route } from '../../server/api/route.js'
import { codeOnly } from './code-only.js'
import { brokenRoutes, isRoute } from './routes.js'
import { type Source, sourcesIn } from './sources.js'

const isInArea = ({ path }: Source) => /^server\/api\/[^/]+\/(?!index\.ts)/.test(path)

t.test('every operation has a file of its name, is listed once, and describes its parameters', async t => {
  const files = []
  for (const { path, text } of sourcesIn(['server/api']).filter(isInArea)) {
    const exported = await import(new URL(`../../${path.replace(/\.ts$/, '.js')}`, import.meta.url).href)
    const found = Object.values(exported).filter(isRoute)
    // A route that is defined but not exported is found only by the word.
    if (found.length > 0 || /=\s*route\(/.test(codeOnly(text))) files.push({ path, routes: found })
  }
  t.ok(files.length > 0, 'there are operations')
  t.same(brokenRoutes(files, routes), [])
  t.equal(files.length, routes.length, 'nothing is listed that has no file')
})

const sample = (changes: Partial<Route> = {}): Route => ({
  ...route({
    operation: 'get_thing',
    method: 'GET',
    path: '/things/{thing_id}',
    doc: 'A thing.',
    allow: 'anyone',
    params: z.object({ thing_id: z.int().describe('Which.') }),
    returns: z.object({}),
    errors: [],
    handle: async () => ({}),
  }),
  ...changes,
})
const path = 'server/api/things/get-thing.ts'

t.test('the law finds', async t => {
  t.test('a file that no index lists', async t => {
    t.match(brokenRoutes([{ path, routes: [sample()] }], []), [/get-thing\.ts is not listed/])
  })
  t.test('a file with another name than its operation, and one with two operations', async t => {
    const other = sample({ operation: 'read_thing' })
    t.match(brokenRoutes([{ path, routes: [other] }], [other]), [/calls its operation read_thing, not get_thing/])
    t.match(brokenRoutes([{ path, routes: [sample(), other] }], []), [/defines 2 operations/])
    t.match(brokenRoutes([{ path, routes: [] }], []), [/defines 0 operations/])
  })
  t.test('operations at the same place, whatever they call the id in it', async t => {
    const other = sample({
      operation: 'show_thing',
      path: '/things/{other_id}',
      params: z.object({ other_id: z.int().describe('I.') }),
    })
    t.match(brokenRoutes([], [sample(), other]), [/show_thing collides with get_thing: both are GET \/things\/\{_id\}/])
    t.same(brokenRoutes([], [sample(), { ...other, method: 'DELETE' }]), [])
    const byName = sample({
      operation: 'find_thing',
      path: '/things/{name}',
      params: z.object({ name: z.string().describe('N.') }),
    })
    t.same(brokenRoutes([], [sample(), byName]), [], 'digits are an id, anything else a name')
  })
  t.test('one name for two operations', async t => {
    t.match(brokenRoutes([], [sample(), sample({ method: 'PATCH' })]), [/listed 2 times/, /listed 2 times/])
  })
  t.test('a parameter without a description, and one of the path that is none', async t => {
    const params = z.object({ colour: z.string().optional() })
    t.match(brokenRoutes([], [sample({ params })]), [/thing_id of its path/, /colour has no description/])
  })
  t.test('an operation without a doc', async t => {
    const silent = sample({ doc: ' ' })
    t.match(brokenRoutes([{ path, routes: [silent] }], [silent]), [/has no doc/])
  })
})

t.test('a description may lie below optional, default or preprocess', async t => {
  const described = z.int().describe('Which.')
  const params = z.object({
    thing_id: described.optional(),
    a: described.default(5),
    b: z.preprocess(x => x, described).optional(),
  })
  t.same(brokenRoutes([], [sample({ params })]), [])
})
