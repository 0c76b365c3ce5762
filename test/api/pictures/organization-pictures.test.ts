import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { removeUnnamedBytes, sendFiles } from '../../support/files.js'
import { Api, type Credentials } from '../../support/http.js'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { type Bytes, canvas, png } from '../emoji/scene.js'

const server = await startServer(t)
const { url } = server
const admin = await server.person({ role: 200 })
const member = await server.person()
const send = (who: Credentials | null, path: string, bytes: Bytes | string = png) =>
  sendFiles(url, who, path, { files: [{ name: 'picture.png', bytes }] })
const folder = join(server.config.dataDir, 'files', 'user_avatars', '1', 'realm')
const stored = async () => readdir(folder).catch(() => [])
const iconOf = async () => (await new Api(url, null).ok('GET', '/server_settings')).realm_icon
const sizeAt = async (path: string) => {
  const answer = await fetch(url + path)
  t.equal(answer.status, 200, path)
  t.equal(answer.headers.get('content-type'), 'image/png')
  const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
  return [width, height]
}
const leadsTo = async (path: string, params: Record<string, unknown> = {}) => {
  const { status, headers, body } = await member.get(path, params)
  t.equal(status, 302)
  t.match(headers.get('cache-control'), /no-store/)
  const location = headers.get('location') ?? ''
  t.equal(location, body.location)
  const passed = new URLSearchParams(location.split('?')[1])
  for (const [name, value] of Object.entries(params)) t.equal(passed.get(name), String(value), 'the query is passed on')
  return location.replace(/&night=(?:true|false)$/, '')
}

t.test('the icon is a square for all users, until it is removed', async t => {
  const ear = await Listener.start(server.ctx, member)
  const byDefault = ear.state.realm_icon_url
  t.match(ear.state, { realm_icon_source: 'G', realm_logo_source: 'D', realm_night_logo_source: 'D' })
  t.same(await sizeAt(byDefault), [100, 100])
  const { status, body } = await send(admin, '/realm/icon')
  t.equal(status, 200)
  t.match(body.icon_url, /^\/user_avatars\/1\/realm\/[0-9a-f]{40}\.png\?version=2$/)
  t.match(await ear.inStep(t), [
    { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url: body.icon_url, icon_source: 'U' } },
  ])
  t.same(await sizeAt(body.icon_url), [100, 100])
  t.equal(await iconOf(), body.icon_url)
  t.equal(await leadsTo('/realm/icon'), body.icon_url)
  const passed = await leadsTo('/realm/icon?version=7&api_key=secret&x=%26a%0d%0ab', {})
  t.equal(passed, `${body.icon_url}&version=7&x=%26a%0D%0Ab`, 'credentials stay here')
  const long = await member.get(`/realm/icon?x=${'8'.repeat(30_000)}`)
  t.equal(long.headers.get('location'), body.icon_url, 'clients refuse headers of more than 16 KiB')
  const again = (await send(admin, '/realm/icon')).body.icon_url
  t.match(again, /version=3$/)
  await removeUnnamedBytes(server.ctx)
  t.equal((await fetch(url + body.icon_url)).status, 404, 'the earlier one is gone')
  t.equal((await ear.inStep(t)).length, 1)
  t.equal((await admin.ok('DELETE', '/realm/icon')).icon_url, byDefault)
  t.match(await ear.inStep(t), [{ property: 'icon', data: { icon_url: byDefault, icon_source: 'G' } }])
  await admin.ok('DELETE', '/realm/icon')
  t.same(await ear.inStep(t), [], 'nothing changed')
  t.equal(await leadsTo('/realm/icon'), byDefault)
  t.equal(await iconOf(), byDefault)
  await removeUnnamedBytes(server.ctx)
  t.same(await stored(), [])
})

t.test('logos of day and night are scaled down, each on its own', async t => {
  const ear = await Listener.start(server.ctx, member)
  const wide = (await canvas(1600, 100).png().toBuffer()) as Bytes
  const upload = (night: boolean, bytes: Bytes) =>
    sendFiles(url, admin, '/realm/logo', { files: [{ name: 'l.png', bytes }], fields: { night: String(night) } })
  t.equal((await upload(false, wide)).status, 200)
  const [event] = await ear.inStep(t)
  t.match(event, { property: 'logo', data: { logo_source: 'U', logo_url: /^\/user_avatars\/1\/realm\/.*version=2$/ } })
  t.same(await sizeAt(event?.data.logo_url), [800, 50])
  t.equal(await leadsTo('/realm/logo', { night: false }), event?.data.logo_url)
  t.equal(await leadsTo('/realm/logo', { night: true }), ear.state.realm_night_logo_url)
  t.equal((await upload(true, (await canvas(40, 20).png().toBuffer()) as Bytes)).status, 200)
  const [other] = await ear.inStep(t)
  t.match(other, { property: 'night_logo', data: { night_logo_source: 'U' } })
  t.same(await sizeAt(other?.data.night_logo_url), [40, 20], 'never enlarged')
  t.equal(await leadsTo('/realm/logo', { night: true }), other?.data.night_logo_url)
  await admin.ok('DELETE', '/realm/logo', { night: true })
  t.match(await ear.inStep(t), [{ property: 'night_logo', data: { night_logo_source: 'D' } }])
  t.match(ear.state, { realm_logo_source: 'U', realm_night_logo_source: 'D' })
  await admin.ok('DELETE', '/realm/logo', { night: false })
  t.equal(await leadsTo('/realm/logo', { night: false }), '/static/images/logo.svg?v=1')
  await removeUnnamedBytes(server.ctx)
  t.same(await stored(), [])
})

t.test('who and what is refused', async t => {
  const before = await stored()
  const guest = await server.person({ role: 600 })
  const notAdmin = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
  for (const path of ['/realm/icon', '/realm/logo?night=true']) {
    t.match(await send(member, path), notAdmin)
    t.match(await send(guest, path), notAdmin)
    t.match(await send(await server.person({ role: 300 }), path), notAdmin)
    t.equal((await send(null, path)).status, 401)
    const bad = async (bytes: Bytes | string, what: string) =>
      t.match(await send(admin, path, bytes), { status: 400, body: { code: 'BAD_IMAGE' } }, what)
    await bad('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>', 'SVG')
    await bad('<!doctype html>', 'HTML')
    await bad(png.subarray(0, png.length / 2) as Bytes, 'half of a picture')
    await bad('', 'nothing')
    await bad((await canvas(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()) as Bytes, 'too many pixels')
    const large = await send(admin, path, new Uint8Array(5 * 1024 * 1024 + 1))
    t.match(large, { status: 400, body: { code: 'BAD_REQUEST', msg: /5 MiB/ } })
    t.match(await sendFiles(url, admin, path, { files: [] }), { status: 400, body: { code: 'BAD_REQUEST' } })
    const two = ['a', 'b'].map(name => ({ name, bytes: png }))
    t.match(await sendFiles(url, admin, path, { files: two }), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
  t.match(await member.delete('/realm/icon'), notAdmin)
  t.match(await member.delete('/realm/logo', { night: false }), notAdmin)
  for (const params of [{}, { night: 'perhaps' }]) {
    const wrong = { status: 400, body: { code: 'night' in params ? 'BAD_REQUEST' : 'REQUEST_VARIABLE_MISSING' } }
    t.match(await member.get('/realm/logo', params), wrong)
    t.match(await admin.delete('/realm/logo', params), wrong)
    t.match(
      await sendFiles(url, admin, '/realm/logo', { files: [{ name: 'l.png', bytes: png }], fields: params as never }),
      wrong,
    )
  }
  t.equal((await new Api(url, null).get('/realm/icon')).status, 401)
  t.equal((await new Api(url, null).get('/realm/logo', { night: true })).status, 401)
  t.same(await stored(), before)
})
