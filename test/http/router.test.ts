import t from 'tap'
import { z } from 'zod'
import type { Method, Route } from '../../server/api/route.js'
import { operationOf, Router } from '../../server/http/router.js'
import { text } from '../../server/params/schemas.js'

function table(...paths: `${Method} ${string}`[]): Router {
  return new Router(
    paths.map(path => {
      const [method, place] = path.split(' ') as [Method, string]
      const names = [...place.matchAll(/\{(\w+)\*?\}/g)].map(match => match[1] as string)
      return {
        operation: path,
        method,
        path: place,
        params: z.object(Object.fromEntries(names.map(name => [name, text()]))),
      } as unknown as Route
    }),
  )
}

const router = table(
  'GET /users',
  'POST /users',
  'GET /users/me',
  'GET /users/{user_id}',
  'GET /users/{email}',
  'PATCH /users/{email}',
  'GET /users/{user_id_or_email}/presence',
  'GET /users/{user_id}/status',
  'GET /users/me/{stream_id}/topics',
  'POST /users/me/subscriptions',
  'PATCH /views/{fragment*}',
)

const match = (method: string, path: string) => {
  const found = router.find(path)
  return [operationOf(found, method).route.operation, ...found.values]
}
const code = (method: string, path: string) => {
  try {
    match(method, path)
    return 'found'
  } catch (error) {
    return (error as { code: string }).code
  }
}

t.test('a literal segment wins over a parameter', async t => {
  t.same(match('GET', '/users/me'), ['GET /users/me'])
  t.same(match('POST', '/users/me/subscriptions'), ['POST /users/me/subscriptions'])
})

t.test('a parameter that is an id takes digits only; all else goes to the next', async t => {
  t.same(match('GET', '/users/17'), ['GET /users/{user_id}', '17'])
  t.same(match('GET', '/users/17a'), ['GET /users/{email}', '17a'])
  t.same(match('GET', '/users/-1'), ['GET /users/{email}', '-1'])
  t.same(match('GET', '/users/17/status'), ['GET /users/{user_id}/status', '17'])
  t.equal(code('GET', '/users/x/status'), 'NOT_FOUND')
})

t.test('a way that leads nowhere is given up for the next', async t => {
  t.same(match('GET', '/users/17/presence'), ['GET /users/{user_id_or_email}/presence', '17'])
  t.same(match('GET', '/users/me/presence'), ['GET /users/{user_id_or_email}/presence', 'me'])
  t.same(match('GET', '/users/me/5/topics'), ['GET /users/me/{stream_id}/topics', '5'])
})

t.test('values are decoded, once', async t => {
  t.same(match('PATCH', '/users/a%40b.org'), ['PATCH /users/{email}', 'a@b.org'])
  t.same(match('PATCH', '/users/a%2540b'), ['PATCH /users/{email}', 'a%40b'])
  t.same(match('PATCH', '/users/a%2Fb'), ['PATCH /users/{email}', 'a/b'])
  t.same(match('PATCH', '/users/%C3%A9'), ['PATCH /users/{email}', 'é'])
})

t.test('the rest of a path keeps its slashes', async t => {
  t.same(match('PATCH', '/views/narrow/is/dm'), ['PATCH /views/{fragment*}', 'narrow/is/dm'])
  t.same(match('PATCH', '/views/narrow%2Fdm'), ['PATCH /views/{fragment*}', 'narrow/dm'])
})

t.test('malformed escapes and bytes that are not UTF-8 are refused', async t => {
  for (const path of ['/users/%', '/users/%4', '/users/%zz', '/users/%C3', '/users/%C3%28', '/views/a/%ff']) {
    t.equal(code('PATCH', path), 'BAD_REQUEST', path)
  }
})

t.test('there is nothing at other paths', async t => {
  const paths = [
    '',
    '/',
    '//',
    'users',
    '/users/',
    '/users//',
    '/Users',
    '/users/me/',
    '/users/a/b',
    '/views',
    '/views/',
  ]
  for (const path of [...paths, '/views/a/', '/users/17/', '/__proto__', '/users/me/constructor/topics', '/{email}']) {
    t.equal(code('GET', path), 'NOT_FOUND', path)
  }
})

t.test('another method than those of the path is refused; the refusal names them, HEAD with GET', async t => {
  for (const method of ['PUT', 'get', 'OPTIONS', 'TRACE', '__proto__', ''])
    t.equal(code(method, '/users'), 'METHOD_NOT_ALLOWED')
  t.same(router.find('/users').allowed, ['GET', 'HEAD', 'POST'])
  t.same(router.find('/users/x').allowed, ['GET', 'HEAD', 'PATCH'])
  t.same(router.find('/views/x').allowed, ['PATCH'])
})

t.test('two operations at one place are a mistake that stops the start', async t => {
  t.throws(() => table('GET /a/{x}', 'GET /a/{y}'), /declared twice/)
})

t.test('a path parameter that the schema does not have stops the start', async t => {
  const route = { operation: 'odd', method: 'GET', path: '/a/{x}', params: z.object({}) } as unknown as Route
  t.throws(() => new Router([route]), /no parameter x/)
})

t.test('doubled slashes count as one', async t => {
  const at = (path: string) => [...router.find(path).operations.values()].map(({ route }) => route.operation)
  t.same(at('//users'), at('/users'))
  t.same(at('/users//7///status'), at('/users/7/status'))
  for (const path of ['//', '///nowhere', '//users//me//x']) t.throws(() => router.find(path), { code: 'NOT_FOUND' })
})
