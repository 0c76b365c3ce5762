// nginx with the documented configuration sends the files of which the server says that the caller may read them.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { spawnServer } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { missing, startProxy } from './nginx.js'

t.test('files sent by nginx', { skip: missing }, async t => {
  const directory = dataDirectory(t)
  const settings = { DATA_DIR: directory, FILES_ACCEL_PREFIX: '/parley-files/', TRUSTED_PROXIES: '127.0.0.1' }
  const server = await spawnServer(t, settings)
  const proxy = await startProxy(t, [server.url, server.url], join(directory, 'files'))
  const [owner, stranger] = [await server.person(), await server.person()]
  const path = await upload(server.url, owner, { name: 'Grüße 1.txt', type: 'text/html', bytes: '0123456789' })

  async function read(path: string, who: Person | null, headers: Record<string, string> = {}, method = 'GET') {
    const authorization = who && { authorization: basic(who) }
    const asked = request(proxy.https + encodeURI(path), {
      method,
      ca: proxy.ca,
      headers: { ...authorization, ...headers },
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: String(await buffer(answer)) }
  }

  t.test('the server does not send the bytes itself', async t => {
    const answer = await fetch(server.url + path, { headers: { Authorization: basic(owner) } })
    t.match(answer.headers.get('x-accel-redirect'), /^\/parley-files\/1\/.*\/Gr%C3%BC%C3%9Fe-1\.txt$/)
    t.equal(await answer.text(), '')
  })

  t.test('nginx sends them, with the headers that make a file safe', async t => {
    const whole = await read(path, owner)
    t.match(whole, { status: 200, text: '0123456789' })
    t.match(whole.headers, {
      'content-type': 'text/html',
      'content-disposition': /^attachment; filename=/,
      'content-security-policy': /^default-src 'none'/,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'access-control-allow-origin': '*',
      'cache-control': 'private, immutable',
      'accept-ranges': 'bytes',
      'content-length': '10',
    })
    t.match(await read(path, owner, {}, 'HEAD'), { status: 200, text: '', headers: { 'content-length': '10' } })
  })

  t.test('ranges and conditions', async t => {
    t.match(await read(path, owner, { range: 'bytes=2-4' }), {
      status: 206,
      text: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'x-content-type-options': 'nosniff' },
    })
    t.equal((await read(path, owner, { range: 'bytes=10-' })).status, 416)
    const { etag } = (await read(path, owner)).headers
    t.match(await read(path, owner, { 'if-none-match': etag ?? '' }), { status: 304, text: '' })
  })

  t.test('who may not read a file gets nothing, and nothing is read around the server', async t => {
    t.equal((await read(path, stranger)).status, 403)
    t.equal((await read(path, null)).status, 401)
    t.equal((await read(`${path}x`, owner)).status, 404)
    const inside = path.replace('/user_uploads/', '/parley-files/')
    t.equal((await read(inside, owner)).status, 404)
    const { attachments } = await owner.ok('GET', '/attachments')
    await owner.ok('DELETE', `/attachments/${attachments[0].id}`)
    t.equal((await read(path, owner)).status, 404)
  })
})
