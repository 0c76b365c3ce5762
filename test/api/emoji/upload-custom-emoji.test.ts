import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { Listener } from '../../support/in-step.js'
import { groupId, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { animation, type Bytes, canvas, png, sendEmoji, uploadEmoji } from './scene.js'

const server = await startServer(t)
const { url } = server
const folder = join(server.config.dataDir, 'files', 'user_avatars', '1', 'emoji')
const stored = async () => (await readdir(folder, { recursive: true }).catch(() => [])).sort()
const all = async (who = admin) => (await who.ok('GET', '/realm/emoji')).emoji
const named = async (name: string) =>
  Object.values(await all()).find(one => (one as { name: string }).name === name) as {
    id: string
    source_url: string
    still_url: string | null
  }
const admin = await server.person({ role: 200 })
const member = await server.person()

async function pictureAt(path: string) {
  const answer = await fetch(url + path)
  t.equal(answer.status, 200, path)
  t.match(Object.fromEntries(answer.headers), {
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}

t.test('an emoji is added, and each kind of client learns of it', async t => {
  const modern = await Listener.start(server.ctx, member)
  const older = await Listener.start(server.ctx, member, { client_capabilities: {} })
  t.equal((await uploadEmoji(url, member, ' party llama ')).status, 200)
  const emoji = {
    id: '1',
    name: 'party_llama',
    source_url: /^\/user_avatars\/1\/emoji\/images\/[0-9a-f]{40}\.png$/,
    still_url: null,
    deactivated: false,
    author_id: member.id,
  }
  t.match(await modern.inStep(t), [{ type: 'realm_emoji', op: 'add', emoji }])
  t.match(await older.inStep(t), [{ type: 'realm_emoji', op: 'update', realm_emoji: { 1: emoji } }])
  t.match(await all(await server.person({ role: 600 })), { 1: emoji })
  const { type, bytes } = await pictureAt((await named('party_llama')).source_url)
  t.equal(type, 'image/png')
  const { width, height, format } = await sharp(bytes).metadata()
  t.same([width, height, format], [64, 64, 'png'])
})

t.test('a picture keeps its format, and only that', async t => {
  const plain = canvas(40, 90)
  const kinds = {
    jpeg: plain
      .clone()
      .withMetadata({ exif: { IFD0: { Copyright: 'a secret place' } } })
      .jpeg(),
    webp: plain.clone().webp(),
    gif: plain.clone().gif(),
    avif: plain.clone().avif(),
  }
  for (const [kind, picture] of Object.entries(kinds)) {
    t.equal((await uploadEmoji(url, member, `of-${kind}`, (await picture.toBuffer()) as Bytes)).status, 200, kind)
    const { source_url, still_url } = await named(`of-${kind}`)
    t.equal(still_url, null)
    const { type, bytes } = await pictureAt(source_url)
    t.equal(type, `image/${kind}`)
    const { width, height, exif } = await sharp(bytes).metadata()
    t.same([width, height], [64, 64])
    t.equal(exif?.includes('secret') ?? false, false)
  }
})

t.test('an animated emoji moves as a whole, and has a still picture', async t => {
  const gif = await animation(120, 60, 4)
  const webp = (await sharp(gif, { animated: true }).webp().toBuffer()) as Bytes
  for (const [kind, bytes] of [
    ['gif', gif],
    ['webp', webp],
  ] as const) {
    t.equal((await uploadEmoji(url, member, `moving-${kind}`, bytes)).status, 200)
    const { source_url, still_url } = await named(`moving-${kind}`)
    const moving = await pictureAt(source_url)
    t.equal(moving.type, `image/${kind}`)
    const { width, pageHeight, pages } = await sharp(moving.bytes, { animated: true }).metadata()
    t.same([width, pageHeight, pages], [64, 64, 4])
    t.match(still_url, /^\/user_avatars\/1\/emoji\/images\/still\/[0-9a-f]{40}\.png$/)
    const still = await pictureAt(String(still_url))
    t.equal(still.type, 'image/png')
    const { data } = await sharp(still.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    t.equal(data[3], 0, 'the rest of the square is transparent')
  }
})

t.test('who may not add emoji', async t => {
  const before = await stored()
  const refused = async (who: typeof member, msg: RegExp, name = 'refused') =>
    t.match(await uploadEmoji(url, who, name), { status: 400, body: { code: 'BAD_REQUEST', msg } })
  await refused(await server.person({ role: 600 }), /guest/)
  await refused(await server.person({ bot_type: 1, bot_owner_id: member.id }), /bot/)
  await setOrganization(server.sql, { can_add_custom_emoji_group: await groupId(server.sql, 'role:moderators') })
  await server.ctx.directory.fresh()
  await refused(member, /permission/)
  t.equal((await uploadEmoji(url, await server.person({ role: 300 }), 'by-moderator')).status, 200)
  await setOrganization(server.sql, { can_add_custom_emoji_group: await groupId(server.sql, 'role:nobody') })
  await server.ctx.directory.fresh()
  await refused(admin, /permission/)
  await setOrganization(server.sql, { can_add_custom_emoji_group: await groupId(server.sql, 'role:members') })
  await server.ctx.directory.fresh()
  await refused(member, /administrators/, 'smile')
  await refused(member, /administrators/, server.config.wireBrand)
  t.equal((await uploadEmoji(url, null, 'refused')).status, 401)
  t.equal((await stored()).length, before.length + 1, 'the files of refused ones are not stored')
})

t.test('names that are refused', async t => {
  for (const name of [
    'Shout',
    'naïve',
    'a.b',
    'a+1',
    'ends-',
    'ends_',
    ' ',
    'x'.repeat(101),
    'a:b',
    'a\0b',
    '../etc',
  ]) {
    t.match(await uploadEmoji(url, admin, name), { status: 400, body: { code: 'BAD_REQUEST' } }, name)
  }
  t.match(await uploadEmoji(url, member, 'party llama'), { status: 400, body: { msg: /exists/ } })
  t.match(await uploadEmoji(url, admin, 'party_llama'), { status: 400, body: { msg: /exists/ } })
  t.equal((await uploadEmoji(url, admin, 'x'.repeat(100))).status, 200)
})

t.test('of several requests for one name one succeeds, and the others leave nothing', async t => {
  const before = (await stored()).length
  const answers = await Promise.all([1, 2, 3].map(() => uploadEmoji(url, member, 'wanted')))
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400])
  const [loose] = await server.sql<{ count: number }[]>`
    select count(*)::int as count from loose_files where key like '%emoji%' and remove_after <= now()`
  t.equal((await stored()).length, before + 1 + (loose?.count ?? 0), 'what was stored is on its way out')
})

t.test('pictures that are refused', async t => {
  const before = await stored()
  const bad = async (bytes: Bytes | string, what: string) =>
    t.match(await uploadEmoji(url, member, 'bad', bytes), { status: 400, body: { code: 'BAD_IMAGE' } }, what)
  await bad('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>', 'SVG')
  await bad('<!doctype html><script>1</script>', 'HTML named .png')
  await bad((await canvas(9, 9).tiff().toBuffer()) as Bytes, 'TIFF')
  await bad(png.subarray(0, png.length / 2) as Bytes, 'half of a picture')
  await bad('', 'nothing')
  await bad((await canvas(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()) as Bytes, 'too many pixels')
  const huge = Buffer.from(png)
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  await bad(huge as Bytes, 'a header that lies')
  await bad(await animation(1, 1, budgets.emojiFrames.most + 1), 'too many small frames')
  const large = await uploadEmoji(url, member, 'bad', new Uint8Array(5 * 1024 * 1024 + 1))
  t.match(large, { status: 400, body: { code: 'BAD_REQUEST', msg: /5 MiB/ } })
  const two = ['a', 'b'].map(name => ({ name, bytes: png }))
  t.match(await sendEmoji(url, member, 'bad', two), { status: 400, body: { code: 'BAD_REQUEST', msg: /exactly one/ } })
  t.match(await sendEmoji(url, member, 'bad', []), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await member.post('/realm/emoji/bad', { file: 'x' }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same(
    (await stored()).filter(path => !before.includes(path)),
    [],
    'a job may still remove earlier pictures',
  )
  for (const odd of ['x.png', `${'0'.repeat(40)}.svg`, `${'0'.repeat(40)}.png`, '..%2f..%2fdemo.json', 'still/x.png']) {
    t.equal((await fetch(`${url}/user_avatars/1/emoji/images/${odd}`)).status, 404, odd)
  }
})

t.test('at most so many emoji; clients of each kind get all of them', async t => {
  const { most } = budgets.customEmoji
  const ears = [
    await Listener.start(server.ctx, member),
    await Listener.start(server.ctx, member, { client_capabilities: {} }),
  ]
  await server.sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`
      insert into custom_emoji (name, author_id, path, is_animated, deactivated, version)
      select 'filler-' || n, ${member.id}, '1/emoji/images/' || n || '.gif', true, true, ${version}
      from generate_series(1, ${most - 1} - (select count(*)::int from custom_emoji)) n`
  })
  t.equal((await uploadEmoji(url, member, 'the-last')).status, 200)
  t.equal(Object.keys(await all()).length, most)
  const [modern, older] = [await ears[0]?.events(t), await ears[1]?.events(t)]
  t.match(modern, [{ op: 'add', emoji: { name: 'the-last' } }])
  t.equal(Object.keys(older?.[0]?.realm_emoji ?? {}).length, most)
  t.match(await uploadEmoji(url, admin, 'one-more'), { status: 400, body: { code: 'BAD_REQUEST', msg: /at most/ } })
  await admin.ok('DELETE', '/realm/emoji/the-last')
  t.match(
    await uploadEmoji(url, admin, 'one-more'),
    { status: 400, body: { msg: /at most/ } },
    'deactivated ones count',
  )
})

t.test('a store that is away leaves no emoji', async t => {
  const server = await startServer(t)
  const author = await server.person()
  const files = join(server.config.dataDir, 'files')
  await mkdir(files, { recursive: true })
  // No folder of this name can be made now.
  await writeFile(join(files, 'user_avatars'), '')
  t.match(await uploadEmoji(server.url, author, 'lost'), { status: 503, body: { code: 'SERVER_NOT_READY' } })
  t.same((await author.ok('GET', '/realm/emoji')).emoji, {})
  await rm(join(files, 'user_avatars'))
  t.equal((await uploadEmoji(server.url, author, 'lost')).status, 200)
})
