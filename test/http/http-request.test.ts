import t from 'tap'
import { ann, basic, fakeServer, keys } from './fake-server.js'
import { head, RawConnection } from './raw.js'

const fake = await fakeServer(t)

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(fake.url + path, { ...init, headers: { Authorization: ann, ...init.headers } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined }
}
const post = (path: string, params: Record<string, string>, init: RequestInit = {}) =>
  call(path, { method: 'POST', body: new URLSearchParams(params), ...init })

t.test('a success has the envelope, and says what was ignored only if something was', async t => {
  t.same((await call('/users/me')).body, { result: 'success', msg: '' })
  t.same((await call('/users/me?b=1&a=2')).body, {
    result: 'success',
    msg: '',
    ignored_parameters_unsupported: ['a', 'b'],
  })
  t.same((await call('/users/5?user_id=6')).body, {
    result: 'success',
    msg: '',
    user_id: 5,
    deep: false,
    ignored_parameters_unsupported: ['user_id'],
  })
  t.notOk('ignored_parameters_unsupported' in (await post('/echo', { x: '1' })).body, 'never on a refusal')
})

t.test('slashes are doubled wherever a client joins parts of an address', async t => {
  const { origin } = new URL(fake.url)
  for (const path of ['//api/v1/users/me', '/api//v1//users/me', '///api/v1/users//me']) {
    t.equal((await fetch(origin + path, { headers: { Authorization: ann } })).status, 200, path)
  }
  for (const path of ['//api/v1', '//api/v2/users/me', '/x//api/v1/users/me', '/api/v1/users/me/']) {
    t.equal((await fetch(origin + path, { headers: { Authorization: ann } })).status, 404, path)
  }
})

t.test('every answer says what it is and that it is not to be kept', async t => {
  for (const { headers } of [await call('/users/me'), await call('/nope'), await post('/broken', {})]) {
    t.equal(headers.get('content-type'), 'application/json')
    t.match(headers.get('cache-control'), /no-store/)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('access-control-allow-origin'), null)
  }
})

t.test('there is an envelope at unknown paths, anywhere', async t => {
  const base = fake.url.replace('/api/v1', '')
  for (const path of [
    '/',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nope',
    '/api/v1/users/',
    '/api/v2/users/me',
    '/index.html',
    '/%',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const response = await fetch(base + path, { method })
      t.equal(response.status, 404, `${method} ${path}`)
      t.match(await response.json(), { result: 'error', code: 'NOT_FOUND', msg: String })
    }
  }
})

t.test('another method is refused with the methods that there are', async t => {
  const { status, headers, body } = await call('/users/me', { method: 'DELETE' })
  t.equal(status, 405)
  t.equal(headers.get('allow'), 'GET, HEAD')
  t.match(body, { result: 'error', code: 'METHOD_NOT_ALLOWED', allowed_methods: ['GET', 'HEAD'] })
})

t.test('HEAD gives the head of GET and leaves the connection in order', async t => {
  const raw = new RawConnection(fake).write(head('HEAD', '/api/v1/users/me', { Authorization: ann }))
  const text = '{"result":"success","msg":""}'
  raw.write('')
  const whole = await call('/users/me', { method: 'HEAD' })
  t.equal(whole.status, 200)
  t.equal(whole.headers.get('content-length'), String(text.length))
  t.equal(whole.text, '')
  raw.destroy()
  t.equal((await call('/nope', { method: 'HEAD' })).status, 404)
  t.equal((await call('/users/me', { method: 'HEAD', headers: { Authorization: '' } })).status, 401)
})

t.test('OPTIONS returns the methods without credentials', async t => {
  const { status, headers, text } = await call('/users/me', { method: 'OPTIONS', headers: { Authorization: '' } })
  t.equal(status, 204)
  t.equal(headers.get('allow'), 'GET, HEAD')
  t.equal(text, '')
  t.equal((await call('/nope', { method: 'OPTIONS' })).status, 404)
})

t.test('a POST may name another method in its body, and only there', async t => {
  t.same((await post('/views/a/b', { method: 'PATCH' })).body, { result: 'success', msg: '', fragment: 'a/b' })
  t.equal((await post('/views/a/b?method=PATCH', {})).status, 405)
  t.equal((await post('/views/a/b', { method: 'patch' })).status, 405)
  t.equal((await call('/users/me?method=POST')).status, 200)
})

t.test('parameters come from body and query; GET reads the query alone', async t => {
  t.match((await post('/echo?number=1&note=query', { number: '2' })).body.params, { number: 2, note: 'query' })
  const form = new FormData()
  form.set('number', '3')
  form.set('note', 'é\r\n--')
  t.match((await call('/echo', { method: 'POST', body: form })).body.params, { number: 3, note: 'é\r\n--' })
  const raw = new RawConnection(fake)
  const headers = { Authorization: ann, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 9 }
  raw.write(`${head('GET', '/api/v1/users/5', headers)}deep=true`)
  t.match(JSON.parse((await raw.answer())?.body ?? ''), { deep: false })
  raw.write(head('GET', '/api/v1/users/6', { Authorization: ann }))
  t.match(JSON.parse((await raw.answer())?.body ?? ''), { user_id: 6 }, 'and the body is not taken for a request')
  raw.destroy()
})

t.test('wrong parameters are refused before the operation is called', async t => {
  fake.calls.length = 0
  t.match((await post('/echo', {})).body, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'number' })
  t.match((await post('/echo', { number: 'x' })).body, { code: 'BAD_REQUEST' })
  t.match((await post('/echo', { number: '1', list: '[{"name":' })).body, { code: 'BAD_REQUEST' })
  t.match((await call('/echo?number=%ff', { method: 'POST' })).body, { code: 'BAD_REQUEST' })
  t.same(fake.calls, [])
})

t.test('bodies in other encodings are refused', async t => {
  const send = (type: string, body: string | Buffer) =>
    call('/echo', { method: 'POST', body, headers: { 'Content-Type': type } })
  t.match(await send('text/plain', '{"number":1}'), { status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
  t.match(await send('application/json', '{"number":'), { status: 400, body: { code: 'INVALID_JSON' } })
  t.match(await send('application/json', '{"number":1}'), { status: 200 })
  t.match(await send('application/x-www-form-urlencoded; charset=latin1', 'number=1'), { status: 415 })
  t.match(await send('application/x-www-form-urlencoded', Buffer.from([0x6e, 0x3d, 0xff])), { status: 400 })
  t.match(await send('multipart/form-data; boundary=x', 'nonsense'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await send('text/plain', ''), { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } })
})

t.test('the order of checks: path, method, credentials, role, parameters', async t => {
  const none = { headers: { Authorization: '' } }
  t.equal((await post('/nope', { number: 'x' }, none)).status, 404)
  t.equal((await post('/users/me', {}, none)).status, 405)
  t.equal((await post('/admin', { number: 'x' }, none)).status, 401)
  t.match((await post('/admin', {})).body, { code: 'UNAUTHORIZED_PRINCIPAL' })
  t.equal((await post('/echo', { number: 'x' }, none)).status, 401)
  t.equal(
    (await post('/admin', {}, { headers: { Authorization: basic('admin@example.org', keys.admin) } })).status,
    200,
  )
})

t.test('an unexpected error is answered without its message, and logged with the request id of the answer', async t => {
  fake.logged.length = 0
  for (const answer of [await post('/broken', {}), await call('/unwritable')]) {
    t.equal(answer.status, 500)
    t.same(answer.body, { result: 'error', msg: 'Internal server error', code: 'INTERNAL_ERROR' })
    t.match(fake.logged.shift(), { requestId: answer.headers.get('x-request-id'), err: Error, operation: String })
  }
})

t.test('a limit says when to come again', async t => {
  const { status, headers, body } = await call('/limited')
  t.equal(status, 429)
  t.equal(headers.get('retry-after'), '2')
  t.equal(body['retry-after'], 1.5)
})

t.test('the calling program is named by its User-Agent', async t => {
  const named = async (agent: string) =>
    (await post('/echo', { number: '1' }, { headers: { 'User-Agent': agent } })).body.client
  t.equal(await named('ZulipPython/0.9 (x)'), 'ZulipPython')
  t.equal(await named('one two'), 'one')
  t.equal(await named('/'), 'Unspecified')
  t.equal((await named('x'.repeat(500))).length, 100)
})

t.test('X-Forwarded-For is ignored unless the proxy is trusted', async t => {
  const from = async (forwarded: string) =>
    (await post('/echo', { number: '1' }, { headers: { 'X-Forwarded-For': forwarded } })).body.address
  t.equal(await from('1.2.3.4, 5.6.7.8'), '127.0.0.1')
  t.equal(await from(' '), '127.0.0.1')
})

t.test('a caller that leaves ends what it waits for, and nothing is written to it', async t => {
  const raw = new RawConnection(fake).write(head('GET', '/api/v1/wait?queue_id=q', { Authorization: ann }))
  while (fake.engine.polls === 0) await new Promise(resolve => setTimeout(resolve, 5))
  raw.destroy()
  while (!fake.engine.calls.includes('poll aborted')) await new Promise(resolve => setTimeout(resolve, 5))
  t.equal((await call('/users/me')).status, 200)
})

t.test('a waiting poll gets the events when the engine wakes it', async t => {
  const before = fake.engine.polls
  const waiting = call('/wait?queue_id=q')
  while (fake.engine.polls === before) await new Promise(resolve => setTimeout(resolve, 5))
  fake.engine.wake(['{"id":1}', '{"id":2}'])
  t.same((await waiting).body.events, [{ id: 1 }, { id: 2 }])
})

t.test('large answers arrive whole', async t => {
  const { body } = await call('/big?bytes=5000000')
  t.equal(body.text.length, 5_000_000)
})

t.test('a query with thousands of ids fits', async t => {
  const ids = Array.from({ length: 5000 }, (_, i) => 1_000_000 + i).join()
  t.equal((await call(`/users/me?ids=[${ids}]`)).status, 200)
})
