import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { removeUnnamedBytes, sendFiles } from '../../support/files.js'
import { Listener } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/avatar'
type Bytes = Uint8Array<ArrayBuffer>
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } })
const png = (await canvas(300, 200).png().toBuffer()) as Bytes
const send = (who: Person, bytes: Bytes | string, name = 'face.png') =>
  sendFiles(server.url, who, path, { files: [{ name, bytes }] })
/** Reads a picture from this server, whose public address is another one. */
const picture = (url: string, options?: RequestInit) => fetch(server.url + new URL(url).pathname, options)
const stored = async () =>
  (await readdir(join(server.config.dataDir, 'files', 'user_avatars', '1')).catch(() => [])).sort()

t.test('an avatar is a square in two sizes, shown to all who see its user', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const ear = await Listener.start(server.ctx, other)
  const { status, body } = await send(owner, png)
  t.equal(status, 200)
  t.match(body.avatar_url, /\/user_avatars\/1\/[0-9a-f]{40}\.png\?v=2$/)
  const medium = body.avatar_url.replace('.png', '-medium.png')
  for (const [url, size] of [
    [body.avatar_url, 100],
    [medium, 500],
  ] as const) {
    const answer = await picture(url)
    t.equal(answer.status, 200)
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata()
    t.same([width, height, format], [size, size, 'png'])
    t.equal(
      (await picture(url, { method: 'HEAD' })).headers.get('content-length'),
      answer.headers.get('content-length'),
    )
  }
  t.match(await ear.inStep(t), [
    {
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: owner.id,
        avatar_source: 'U',
        avatar_url: body.avatar_url,
        avatar_url_medium: medium,
        avatar_version: 2,
      },
    },
  ])
  t.equal((await other.ok('GET', `/users/${owner.id}`)).user.avatar_url, body.avatar_url)

  const second = (await send(owner, png)).body.avatar_url
  t.not(second, body.avatar_url)
  await removeUnnamedBytes(server.ctx)
  t.equal((await picture(body.avatar_url)).status, 404, 'the earlier one is gone')
  const { avatar_url } = await owner.ok('DELETE', path)
  t.match(avatar_url, /gravatar\.com.*v=4$/)
  await removeUnnamedBytes(server.ctx)
  t.equal((await picture(second)).status, 404)
  t.same(await stored(), [])
})

t.test('every kind of picture that the server reads', async t => {
  const owner = await server.person()
  const turned = canvas(40, 20)
  const kinds = {
    jpeg: await turned.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    webp: await turned.clone().webp().toBuffer(),
    gif: await turned.clone().gif().toBuffer(),
    tiff: await turned.clone().tiff().toBuffer(),
    avif: await turned.clone().avif().toBuffer(),
  }
  for (const [kind, bytes] of Object.entries(kinds)) t.equal((await send(owner, bytes as Bytes)).status, 200, kind)
})

t.test('what is no picture is refused, and leaves nothing', async t => {
  const owner = await server.person()
  const before = await stored()
  const bad = async (bytes: Bytes | string, what: string) =>
    t.match(await send(owner, bytes), { status: 400, body: { code: 'BAD_IMAGE' } }, what)
  await bad('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>', 'SVG')
  await bad('<!doctype html><script>1</script>', 'HTML named .png')
  await bad(png.subarray(0, png.length / 2) as Bytes, 'half of a picture')
  await bad('', 'nothing')
  const bomb = (await canvas(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()) as Bytes
  await bad(bomb, 'more pixels than the budget, in a small file')
  // A header that claims 100,000 x 100,000 pixels.
  const huge = Buffer.from(png)
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  await bad(huge as Bytes, 'a header that lies')
  const many = await sendFiles(server.url, owner, path, {
    files: [
      { name: 'a', bytes: png },
      { name: 'b', bytes: png },
    ],
  })
  t.match(many, { status: 400, body: { code: 'BAD_REQUEST', msg: /exactly one/ } })
  t.match(await sendFiles(server.url, owner, path, { files: [] }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await owner.post(path, { file: 'x' }), { status: 400, body: { code: 'BAD_REQUEST' } })
  const large = await send(owner, new Uint8Array(5 * 1024 * 1024 + 1))
  t.match(large, { status: 400, body: { code: 'BAD_REQUEST', msg: /5 MiB/ } })
  t.equal((await sendFiles(server.url, null, path, { files: [{ name: 'a', bytes: png }] })).status, 401)
  t.same(
    (await stored()).filter(path => !before.includes(path)),
    [],
    'a job may still remove earlier pictures',
  )
  for (const odd of [
    '/user_avatars/',
    '/user_avatars/1/x.png',
    '/user_avatars/1/..%2f..%2fdemo.json',
    `/user_avatars/1/${'0'.repeat(40)}.png`,
  ]) {
    t.equal((await fetch(server.url + odd)).status, 404, odd)
  }
})

t.test('where the organization forbids changes, administrators alone make them', async t => {
  const [member, admin] = [await server.person(), await server.person({ role: 200 })]
  await setOrganization(server.sql, { avatar_changes_disabled: true })
  await server.ctx.directory.fresh()
  t.match(await send(member, png), { status: 400, body: { code: 'BAD_REQUEST', msg: /disabled/ } })
  t.match(await member.delete(path), { status: 400, body: { code: 'BAD_REQUEST', msg: /disabled/ } })
  t.equal((await send(admin, png)).status, 200)
})
