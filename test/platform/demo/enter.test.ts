// The operations that let a program on the same machine enter the demonstration without a password.
import { request } from 'node:http'
import t from 'tap'
import { readConfig } from '../../../server/config.js'
import { letsPeopleEnter } from '../../../server/demo/routes.js'
import { demonstration } from '../../support/demonstration.js'

/** Not `fetch`, which sets the Host header itself. */
function call(url: string, method: string, headers: Record<string, string>, body = ''): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
    sent.on('error', reject).on('response', response => {
      let text = ''
      response.on('data', data => {
        text += data
      })
      response.on('end', () => resolve([response.statusCode ?? 0, text]))
    })
    sent.end(body)
  })
}

t.test('a program on the same machine lists the people and gets the key of each', async t => {
  const { server, hints } = await demonstration(t)
  t.match(hints, [/click a person/])
  const [status, text] = await call(`${server.url}/api/v1/dev_list_users`, 'GET', {})
  t.equal(status, 200)
  const { direct_admins, direct_users } = JSON.parse(text) as Record<string, { email: string }[]>
  t.same(
    direct_admins?.map(({ email }) => email),
    ['owner@demo.example', 'administrator@demo.example'],
  )
  t.equal(direct_users?.length, 10, 'all people but no bot')
  for (const { email } of [...(direct_admins ?? []), ...(direct_users ?? [])]) {
    const [, answer] = await call(`${server.url}/api/v1/dev_fetch_api_key`, 'POST', {}, `username=${email}`)
    const { api_key } = JSON.parse(answer) as { api_key: string }
    const self = await server.api({ email, api_key }).ok('GET', '/users/me')
    t.equal(self.delivery_email, email)
  }
})

t.test('other callers, other accounts and calls through a proxy are refused', async t => {
  const { server } = await demonstration(t)
  const person = await server.person()
  const enter = (headers: Record<string, string>, username = 'owner@demo.example') =>
    call(`${server.url}/api/v1/dev_fetch_api_key`, 'POST', headers, `username=${username}`)
  const list = (headers: Record<string, string>) => call(`${server.url}/api/v1/dev_list_users`, 'GET', headers)
  for (const headers of [
    { host: 'chat.example' },
    { host: '127.0.0.1.evil.example' },
    { host: '192.0.2.1:9991' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
  ] as Record<string, string>[]) {
    for (const [status, text] of [await enter(headers), await list(headers)]) {
      t.equal(status, 404, JSON.stringify(headers))
      t.match(JSON.parse(text), { result: 'error', code: 'NOT_FOUND' })
      t.notMatch(text, /api_key|demo\.example/)
    }
  }
  for (const name of [person.email, 'bot@demo.example', 'missing@demo.example', '']) {
    const [status, text] = await enter({}, name)
    t.ok(status === 401 || status === 400, name)
    t.notMatch(text, /"api_key"/, name)
  }
})

t.test('the operations do not exist for a server that is not only a demonstration', async t => {
  const configOf = (env: Record<string, string>) => readConfig({ HOST: '127.0.0.1', ...env })
  t.equal(letsPeopleEnter(configOf({})), true)
  for (const env of [
    { DEMO: '0' },
    { HOST: '0.0.0.0' },
    { HOST: '192.0.2.7' },
    { PUBLIC_URL: 'https://chat.example' },
    { TRUSTED_PROXIES: '127.0.0.1' },
  ] as Record<string, string>[]) {
    t.equal(letsPeopleEnter(configOf(env)), false, JSON.stringify(env))
  }
  const { server, hints } = await demonstration(t, { TRUSTED_PROXIES: '127.0.0.1' })
  t.match(hints, [/sign in as owner@demo\.example/])
  for (const [method, path] of [
    ['GET', 'dev_list_users'],
    ['POST', 'dev_fetch_api_key'],
  ] as const) {
    const [status, text] = await call(`${server.url}/api/v1/${path}`, method, {})
    t.equal(status, 404)
    t.match(JSON.parse(text), { code: 'NOT_FOUND' })
  }
})
