import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { makeThumbnails } from '../../../server/actions/pictures/make-thumbnails.js'
import { readFile, removeUnnamedBytes, upload } from '../../support/files.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

// Without its own thumbnail work, so that each test decides when a worker makes thumbnails.
const server = await startServer(t)
const { ctx, sql } = server
await server.jobs.stop()

type Bytes = Uint8Array<ArrayBuffer>
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 30, b: 200 } } })
const png = (await canvas(1000, 500).png().toBuffer()) as Bytes
const send = async (who: Person, to: Person, content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'direct', to: [to.id], content })).id
const html = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.content
const pathOf = (url: string) => url.slice('/user_uploads/'.length)
const thumbnailOf = (url: string, name = '840x560.webp') => `/user_uploads/thumbnail/${pathOf(url)}/${name}`
const status = (who: Person, url: string) => who.get(`/thumbnail/status/${pathOf(url)}`)
const missing = { status: 404, body: { code: 'BAD_REQUEST' } }
const makeAll = async () => {
  let made = 0
  while (await makeThumbnails(ctx)) made++
  return made
}
/** Lets the minute pass after which messages are looked at a second time. */
const afterAMinute = () => sql`update attachments set thumbnail_due = now() where thumbnail_due is not null`

t.test('a message shows a placeholder until the thumbnail exists, and is then rendered again', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const url = await upload(server.url, owner, { name: 'map.png', type: 'image/png', bytes: png })
  const ear = await Listener.start(ctx, other)
  const id = await send(owner, other, `[map.png](${url})`)
  t.match(await html(other, id), 'image-loading-placeholder')
  t.match(await status(owner, url), { status: 200, body: { thumbnails_ready: false } })
  await makeAll()
  t.match(await status(other, url), { status: 200, body: { thumbnails_ready: true } })
  const shown = `<p><a href="${url}">map.png</a></p>\n<div class="message_inline_image"><a href="${url}" title="map.png"><img data-original-content-type="image/png" data-original-dimensions="1000x500" src="${thumbnailOf(url)}"></a></div>`
  t.equal(await html(other, id), shown)
  const events = (await ear.inStep(t)).filter(event => event.type === 'update_message')
  t.match(events, [
    { user_id: null, rendering_only: true, message_id: id, message_ids: [id], rendered_content: shown, flags: [] },
  ])
  t.equal(events[0]?.orig_content, events[0]?.content, 'the text stays')
  const { message } = await owner.ok('GET', `/messages/${id}`)
  t.equal(message.last_edit_timestamp, undefined, 'it counts as no edit')
  await afterAMinute()
  t.equal(await makeAll(), 1, 'the messages are looked at again')
  t.same(
    (await ear.inStep(t)).filter(event => event.type === 'update_message'),
    [],
  )
  t.equal(await makeAll(), 0)
  t.equal(await html(owner, await send(owner, other, `[map.png](${url})`)), shown, 'later messages show it at once')
})

t.test(
  'a message that was rendered before the thumbnails existed, and stored after that, is rendered again at once',
  async t => {
    const [owner, other] = [await server.person(), await server.person()]
    const url = await upload(server.url, owner, { name: 'soon.png', type: 'image/png', bytes: png })
    const { write } = ctx.messageWriter
    ctx.messageWriter.write = async message => {
      await makeAll()
      return write.call(ctx.messageWriter, message)
    }
    t.teardown(() => {
      ctx.messageWriter.write = write
    })
    const id = await send(owner, other, `![soon](${url})`)
    t.match(await html(other, id), 'image-loading-placeholder')
    t.equal(await makeAll(), 1)
    t.match(await html(other, id), thumbnailOf(url))
    t.equal(await makeAll(), 0)
  },
)

t.test('a message whose worker died then is found by the second look', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const url = await upload(server.url, owner, { name: 'late.png', type: 'image/png', bytes: png })
  const id = await send(owner, other, `![late](${url})`)
  const [placeholder] = await sql`select rendered_content from messages where id = ${id}`
  await makeAll()
  await sql`update messages set rendered_content = ${placeholder?.rendered_content} where id = ${id}`
  await afterAMinute()
  await makeAll()
  t.match(await html(other, id), thumbnailOf(url))
})

t.test('a thumbnail fits its form, keeps its proportions, and is served to the readers of the file only', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const url = await upload(server.url, owner, { name: 'wide.png', type: 'image/png', bytes: png })
  for (const moment of ['before it is stored', 'afterwards']) {
    const answer = await readFile(server.url, owner, thumbnailOf(url))
    t.equal(answer.status, 200, moment)
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="840x560.webp"',
      'x-content-type-options': 'nosniff',
    })
    const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata()
    t.same([width, height, format], [840, 420, 'webp'])
    await makeAll()
  }
  const again = await readFile(server.url, owner, thumbnailOf(url))
  const etag = again.headers.get('etag') ?? ''
  t.equal((await readFile(server.url, owner, thumbnailOf(url), { 'If-None-Match': etag })).status, 304)
  t.not((await readFile(server.url, owner, url)).headers.get('etag'), etag)
  t.equal((await readFile(server.url, owner, thumbnailOf(url, '840x560-anim.webp'))).status, 200, 'the nearest form')
  t.equal((await readFile(server.url, other, thumbnailOf(url))).status, 403)
  t.equal((await readFile(server.url, null, thumbnailOf(url))).status, 401)
  t.match(await status(other, url), missing)
})

t.test('a small picture is not enlarged, and one that was turned is shown upright', async t => {
  const owner = await server.person()
  const turned = (await canvas(60, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()) as Bytes
  const url = await upload(server.url, owner, { name: 'turned.jpg', type: 'image/jpeg', bytes: turned })
  await makeAll()
  const { width, height } = await sharp(
    await (await readFile(server.url, owner, thumbnailOf(url))).arrayBuffer(),
  ).metadata()
  t.same([width, height], [30, 60])
  t.match((await owner.ok('POST', '/messages/render', { content: `![x](${url})` })).rendered, 'dimensions="30x60"')
})

t.test('an animation has a form with all frames and one with the first', async t => {
  const owner = await server.person()
  const frames = await Promise.all(
    [0, 80, 160].map(g =>
      sharp({ create: { width: 20, height: 20, channels: 3, background: { r: 0, g, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = (await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer()) as Bytes
  const url = await upload(server.url, owner, { name: 'dance.gif', type: 'image/gif', bytes: gif })
  await makeAll()
  const pages = async (name: string) =>
    (await sharp(await (await readFile(server.url, owner, thumbnailOf(url, name))).arrayBuffer()).metadata()).pages ?? 1
  t.equal(await pages('840x560-anim.webp'), 3)
  t.equal(await pages('840x560.webp'), 1)
  t.match((await owner.ok('POST', '/messages/render', { content: `[x](${url})` })).rendered, 'data-animated="true"')
})

t.test('a TIFF has a copy of full size for browsers', async t => {
  const owner = await server.person()
  const tiff = (await canvas(1000, 900).tiff().toBuffer()) as Bytes
  const url = await upload(server.url, owner, { name: 'scan.tiff', type: 'image/tiff', bytes: tiff })
  await makeAll()
  const copy = await readFile(server.url, owner, thumbnailOf(url, '1000x900.webp'))
  const { width, height } = await sharp(await copy.arrayBuffer()).metadata()
  t.same([width, height], [1000, 900])
  t.match(
    (await owner.ok('POST', '/messages/render', { content: `[x](${url})` })).rendered,
    'transcoded-image="1000x900.webp"',
  )
})

t.test('what is no picture is an ordinary file', async t => {
  const owner = await server.person()
  const header = Buffer.from(png.subarray(0, 24))
  const bomb = Buffer.from(png)
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  for (const [name, type, bytes] of [
    ['page.png', 'image/png', Buffer.from('<html><script>alert(1)</script></html>')],
    ['drawing.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['huge.png', 'image/png', bomb],
    ['start.png', 'image/png', header],
    ['empty.png', 'image/png', Buffer.alloc(0)],
    ['text.txt', 'text/plain', Buffer.from(png)],
  ] as const) {
    const url = await upload(server.url, owner, { name, type, bytes: bytes as Bytes })
    const { rendered } = await owner.ok('POST', '/messages/render', { content: `![x](${url}) [y](${url})` })
    t.notMatch(rendered, '<img', name)
    t.match(await status(owner, url), missing, name)
    t.equal((await readFile(server.url, owner, thumbnailOf(url))).status, 404, name)
    t.equal((await readFile(server.url, owner, url)).status, 200, name)
  }
  t.match(await status(owner, '/user_uploads/1/ab/none.png'), missing)
  t.equal(await makeAll(), 0)
})

t.test('a picture whose pixels cannot be decoded loses its preview', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const broken = Buffer.from(await canvas(400, 400).jpeg().toBuffer()).subarray(0, 700) as Bytes
  const url = await upload(server.url, owner, { name: 'broken.jpg', type: 'image/jpeg', bytes: broken })
  const id = await send(owner, other, `[broken](${url})`)
  t.match(await html(other, id), 'image-loading-placeholder')
  await makeAll()
  t.equal(await html(other, id), `<p><a href="${url}">broken</a></p>`)
  t.match(await status(owner, url), missing)
})

t.test('a picture of which workers die is given up after three attempts', async t => {
  const owner = await server.person()
  const url = await upload(server.url, owner, { name: 'deadly.png', type: 'image/png', bytes: png })
  await sql`update attachments set thumbnail_attempts = 3 where path_id = ${pathOf(url)}`
  await makeAll()
  t.match(await status(owner, url), missing)
})

t.test('while the store is away the picture keeps waiting', async t => {
  const owner = await server.person()
  const url = await upload(server.url, owner, { name: 'away.png', type: 'image/png', bytes: png })
  await sql`update attachments set thumbnail_due = null where path_id <> ${pathOf(url)}`
  const { storage } = ctx
  const away = { ...ctx, storage: { ...storage, readWhole: async () => Promise.reject(new Error('away')) } }
  for (let i = 0; i < 5; i++) {
    await t.rejects(makeThumbnails(away as typeof ctx), /away/)
    await afterAMinute()
  }
  await makeAll()
  t.match(await status(owner, url), { body: { thumbnails_ready: true } })
})

t.test('a removed file takes its thumbnails with it', async t => {
  const owner = await server.person()
  await upload(server.url, owner, { name: 'gone.png', type: 'image/png', bytes: png })
  await makeAll()
  const { attachments } = await owner.ok('GET', '/attachments')
  const [attachment] = attachments
  const folder = join(server.config.dataDir, 'files', 'thumbnails', ...attachment.path_id.split('/'))
  t.same(await readdir(folder), ['840x560.webp'])
  await owner.ok('DELETE', `/attachments/${attachment.id}`)
  await removeUnnamedBytes(ctx)
  t.same(await readdir(folder).catch(() => []), [])
})
