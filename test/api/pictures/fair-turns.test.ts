import sharp from 'sharp'
import t, { type Test } from 'tap'
import { makeThumbnails } from '../../../server/actions/pictures/make-thumbnails.js'
import { budgets } from '../../../server/config/budgets.js'
import { until } from '../../http/until.js'
import { type Bytes, blackPng, largeAvif } from '../../support/crafted-pictures.js'
import { readFile, sendFiles, upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

// Without its own thumbnail work, so that each test decides when a worker makes thumbnails.
const server = await startServer(t)
const { ctx, sql } = server
const { pictures } = ctx
await server.jobs.stop()
const png = (await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
  .png()
  .toBuffer()) as Bytes
const avatar = (who: Person, bytes: Bytes) =>
  sendFiles(server.url, who, '/users/me/avatar', { files: [{ name: 'face.png', bytes }] })
const html = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.content
const makeAll = async () => {
  while (await makeThumbnails(ctx));
}

/** Occupies the decoder until the returned function is called. */
async function occupy(t: Test): Promise<() => Promise<unknown>> {
  let goOn = () => {}
  const file = () =>
    new Promise<Buffer>(resolve => {
      goOn = () => resolve(Buffer.from(png))
    })
  const drawing = pictures.draw({ account: -1, file }, { kind: 'header' })
  await until(() => pictures.waiting === 0)
  t.teardown(() => goOn())
  return () => {
    goOn()
    return drawing
  }
}

t.test('56 avatars of one account delay that of another account by one picture', async t => {
  const [greedy, other] = [await server.person(), await server.person()]
  const goOn = await occupy(t)
  const answers: string[] = []
  const slow = blackPng(1000, 1000)
  const many = Array.from({ length: 56 }, () =>
    avatar(greedy, slow).then(({ status, body }) => {
      answers.push(`greedy ${status}`)
      return { status, code: body.code }
    }),
  )
  const beyond = 56 - budgets.picturesWaiting.most
  await until(() => answers.length === beyond)
  const one = avatar(other, png).then(({ status }) => answers.push(`other ${status}`))
  await until(() => pictures.waiting === budgets.picturesWaiting.most + 1)
  await goOn()
  await one
  // Some are answered while the avatar is stored.
  t.ok(answers.length < beyond + 15, `${answers.slice(beyond)}`)
  const outcomes = await Promise.all(many)
  t.same(
    outcomes.filter(({ status }) => status !== 200),
    Array(beyond).fill({ status: 503, code: 'SERVER_NOT_READY' }),
    'the greedy account alone is refused',
  )
})

t.test('a picture whose client has left is not decoded', async t => {
  const owner = await server.person()
  const goOn = await occupy(t)
  const client = new AbortController()
  const form = new FormData()
  form.set('file', new Blob([png]), 'face.png')
  const request = fetch(`${server.url}/api/v1/users/me/avatar`, {
    method: 'POST',
    headers: { Authorization: basic(owner) },
    body: form,
    signal: client.signal,
  })
  await until(() => pictures.waiting === 1)
  client.abort()
  await t.rejects(request)
  await until(() => pictures.waiting === 0)
  const { drawn } = pictures.counts
  await goOn()
  t.equal(pictures.counts.drawn, drawn + 1, 'the one that occupied the decoder')
})

t.test('a large avatar that waits for the decoder does not hold up large requests', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const goOn = await occupy(t)
  const large = new Uint8Array(Buffer.concat([png, Buffer.alloc(100_000)]))
  const waiting = Array.from({ length: 3 }, () => avatar(owner, large))
  await until(() => pictures.waiting === 3)
  await other.ok('POST', '/messages/render', { content: '語'.repeat(9000) })
  t.equal(pictures.waiting, 3)
  await goOn()
  for (const { status } of await Promise.all(waiting)) t.equal(status, 200)
})

t.test('a message with a picture whose size cannot be read yet is accepted, and shows it later', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const goOn = await occupy(t)
  const url = await upload(server.url, owner, { name: 'map.png', type: 'image/png', bytes: png })
  const ear = await Listener.start(ctx, other)
  const { id } = await owner.ok('POST', '/messages', { type: 'direct', to: [other.id], content: `[map.png](${url})` })
  t.equal(pictures.waiting, 0, 'neither the upload nor the message waits any more')
  const loading = '<img class="image-loading-placeholder" data-original-content-type="image/png" src="/static/'
  t.match(await html(other, id), loading)
  const status = () => owner.get(`/thumbnail/status/${url.slice('/user_uploads/'.length)}`)
  t.match(await status(), { status: 200, body: { thumbnails_ready: false } })
  const thumbnail = url.replace('/user_uploads/', '/user_uploads/thumbnail/')
  t.equal((await readFile(server.url, owner, `${thumbnail}/840x560.webp`)).status, 404)
  await goOn()
  await makeAll()
  t.match(await html(other, id), 'data-original-dimensions="300x200"')
  t.match(await html(other, id), `${thumbnail}/840x560.webp`)
  t.match(await status(), { status: 200, body: { thumbnails_ready: true } })
  const events = (await ear.inStep(t)).filter(event => event.type === 'update_message')
  t.match(events, [{ user_id: null, rendering_only: true, message_id: id }])
})

t.test('one that turns out to be no picture, or too large, loses its preview', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const goOn = await occupy(t)
  const kinds = { 'text.png': Buffer.from('no picture'), 'bomb.avif': largeAvif(), 'line.png': blackPng(1, 90_000_000) }
  const sent = await Promise.all(
    Object.entries(kinds).map(async ([name, bytes]) => {
      const type = name.endsWith('avif') ? 'image/avif' : 'image/png'
      const url = await upload(server.url, owner, { name, type, bytes: new Uint8Array(bytes) })
      const message = { type: 'direct', to: [other.id], content: `[x](${url})` }
      return { name, url, id: (await owner.ok('POST', '/messages', message)).id }
    }),
  )
  for (const { name, id } of sent) t.match(await html(other, id), 'image-loading-placeholder', name)
  await goOn()
  await makeAll()
  for (const { name, url, id } of sent) t.equal(await html(other, id), `<p><a href="${url}">x</a></p>`, name)
})

t.test('a large file whose beginning does not tell its size shows it with the thumbnail', async t => {
  const owner = await server.person()
  const gif = Buffer.concat([await sharp(png).gif().toBuffer(), Buffer.alloc(budgets.pictureHeadBytes.most)])
  const photograph = Buffer.concat([await sharp(png).jpeg().toBuffer(), Buffer.alloc(budgets.pictureHeadBytes.most)])
  const show = async (url: string) => (await owner.ok('POST', '/messages/render', { content: `![x](${url})` })).rendered
  const urls = []
  for (const [type, bytes] of [
    ['gif', gif],
    ['jpeg', photograph],
  ] as const)
    urls.push(
      await upload(server.url, owner, { name: `x.${type}`, type: `image/${type}`, bytes: new Uint8Array(bytes) }),
    )
  const [animation = '', photo = ''] = urls
  t.notMatch(await show(animation), 'dimensions')
  t.match(await show(photo), 'dimensions="300x200"')
  await makeAll()
  for (const url of urls) t.match(await show(url), /thumbnail.*dimensions="300x200"|dimensions="300x200".*thumbnail/)
})

t.test('thumbnails have fair turns, too', async t => {
  const [greedy, other] = [await server.person(), await server.person()]
  const send = (who: Person) => upload(server.url, who, { name: 'x.png', type: 'image/png', bytes: png })
  for (let i = 0; i < 4; i++) await send(greedy)
  await makeThumbnails(ctx)
  const later = await send(other)
  // The account whose pictures took time comes last, however old its pictures are.
  pictures.use.add(greedy.id, 60_000)
  await makeThumbnails(ctx)
  const ready = await sql<{ user_id: number; ready: number }[]>`
    select user_id, count(*) filter (where has_thumbnails)::int as ready from attachments
    where user_id in (${greedy.id}, ${other.id}) group by user_id order by user_id`
  t.same(
    [...ready],
    [
      { user_id: greedy.id, ready: 1 },
      { user_id: other.id, ready: 1 },
    ],
  )
  t.match(await other.get(`/thumbnail/status/${later.slice('/user_uploads/'.length)}`), {
    body: { thumbnails_ready: true },
  })
  await makeAll()
})

t.test('thumbnails for which the decoder has no time are made later', async t => {
  await sql`update attachments set thumbnail_due = null`
  const owner = await server.person()
  const url = await upload(server.url, owner, { name: 'x.png', type: 'image/png', bytes: png })
  const goOn = await occupy(t)
  const many = Array.from({ length: budgets.picturesWaiting.most }, () =>
    pictures.draw({ account: owner.id, file: Buffer.from(png) }, { kind: 'square' }),
  )
  for (let i = 0; i < 5; i++) t.equal(await makeThumbnails(ctx), false)
  const [row] =
    await sql`select thumbnail_attempts from attachments where path_id = ${url.slice('/user_uploads/'.length)}`
  t.equal(row?.thumbnail_attempts, 0, 'no attempt has begun')
  await goOn()
  await Promise.all(many)
  t.equal(await makeThumbnails(ctx), true)
})

t.test('a picture of which decoders die is tried again later, and given up after three attempts', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  await sql`update attachments set thumbnail_due = null`
  const url = await upload(server.url, owner, { name: 'x.png', type: 'image/png', bytes: png })
  const { id } = await owner.ok('POST', '/messages', { type: 'direct', to: [other.id], content: `[x](${url})` })
  for (let attempt = 1; attempt <= 3; attempt++) {
    const making = makeThumbnails(ctx)
    let killed = 0
    const killing = setInterval(() => {
      const pid = pictures.decoderPid
      if (pid === undefined || pid === killed) return
      killed = pid
      process.kill(pid, 'SIGKILL')
    }, 1)
    t.equal(await making, true)
    clearInterval(killing)
    t.match(await html(other, id), 'image-loading-placeholder', 'the message waits')
    await sql`update attachments set thumbnail_due = now() where thumbnail_due is not null`
  }
  await makeAll()
  t.equal(await html(other, id), `<p><a href="${url}">x</a></p>`)
})
