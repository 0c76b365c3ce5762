import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import type { Drawing } from '../../../server/images/drawing.js'
import { PictureQueue } from '../../../server/images/picture-queue.js'
import { createLog } from '../../../server/log.js'
import {
  type Bytes,
  blackPng,
  gifAnimation,
  largeAvif,
  largeProgressiveJpeg,
  webpAnimation,
} from '../../support/crafted-pictures.js'

const queue = new PictureQueue(createLog('silent', 'test'))
t.teardown(() => queue.stop())

const mib = 2 ** 20
const square: Drawing = { kind: 'square' }
const thumbnails: Drawing = { kind: 'thumbnails', forms: [{ width: 840, height: 560, isAnimated: true }] }
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 30, b: 200 } } })
const draw = (bytes: Bytes | Buffer, drawing: Drawing = square) =>
  queue.draw({ account: 1, file: Buffer.from(bytes) }, drawing)
/** The largest memory that the decoder had since its start, in MiB; Linux only. */
const peak = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const avif = largeAvif()
const progressive = largeProgressiveJpeg()
const still = await canvas(1900, 1900).webp({ lossless: true }).toBuffer()

t.test('crafted pictures are refused by their headers, and take no memory', async t => {
  const bombs: Record<string, Bytes | Buffer> = {
    'AVIF, 9,400 x 9,400': avif,
    'PNG, 90,000,000 x 1': blackPng(90_000_000, 1),
    'PNG, 1 x 90,000,000': blackPng(1, 90_000_000),
    'PNG, 10,000 x 10,000': blackPng(10_000, 10_000),
    'PNG, interlaced, 6,000 x 6,000': blackPng(6000, 6000, { isInterlaced: true }),
    'GIF, 20,000 frames of 1,900 x 1,900': gifAnimation(1900, 1900, 20_000),
    'WebP, 500 frames of 1,900 x 1,900': webpAnimation(still, 1900, 1900, 500),
    'WebP, 7,500 x 7,500': await canvas(7500, 7500).webp({ lossless: true, effort: 0 }).toBuffer(),
  }
  for (const [name, bytes] of Object.entries(bombs))
    for (const drawing of [square, thumbnails, { kind: 'header' } as const])
      await t.rejects(draw(bytes, drawing), { code: 'BAD_IMAGE', message: /pixels/ }, name)
  const highest = peak(queue.decoderPid ?? 0)
  t.ok(highest < 120, `${highest} MiB`)
  t.same(queue.counts.died + queue.counts.memory + queue.counts.time, 0, 'one decoder refused all of them')
})

t.test('a header that says less than the pixels that follow does not help', async t => {
  const lying = Buffer.from(avif)
  for (let at = lying.indexOf('ispe'); at >= 0; at = lying.indexOf('ispe', at + 4)) {
    lying.writeUInt32BE(1000, at + 8)
    lying.writeUInt32BE(1000, at + 12)
  }
  await t.rejects(draw(lying), { code: 'BAD_IMAGE' })
})

t.test(
  'a picture that takes more memory than its header suggests is refused within the bound, and the next one is drawn',
  async t => {
    await draw(await canvas(10, 10).png().toBuffer())
    const before = queue.decoderPid ?? 0
    const watching = setInterval(() => {
      if (queue.decoderPid === before) highest = Math.max(highest, peak(before))
    }, 5)
    let highest = 0
    // The decoder is ended, or its library gives up at the limit of the process.
    await t.rejects(draw(progressive), { code: 'BAD_IMAGE' })
    clearInterval(watching)
    t.ok(highest < (budgets.pictureMemory.most / mib) * 1.2, `${highest} MiB`)
    t.equal((await draw(await canvas(10, 10).png().toBuffer())).made.length, 2)
  },
)

t.test('large photographs, screenshots and animations are drawn', async t => {
  const large: Record<string, Bytes | Buffer> = {
    'JPEG, 48 megapixels': await canvas(8000, 6000).jpeg().toBuffer(),
    'JPEG, progressive, 48 megapixels': await canvas(8000, 6000).jpeg({ progressive: true }).toBuffer(),
    'PNG, 50 megapixels': blackPng(8660, 5773),
    'PNG, interlaced, 24 megapixels': blackPng(6000, 4000, { isInterlaced: true }),
    'PNG, a page of 29,000 lines': blackPng(1080, 29_000),
    'WebP, 48 megapixels': await canvas(8000, 6000).webp({ effort: 0 }).toBuffer(),
    'AVIF, 12 megapixels': await canvas(4096, 3072).avif({ effort: 0 }).toBuffer(),
    'TIFF, 35 megapixels': await canvas(7016, 4960).tiff({ compression: 'deflate' }).toBuffer(),
  }
  for (const [name, bytes] of Object.entries(large)) {
    const { header, made } = await draw(bytes, thumbnails)
    t.ok(Math.max(header.width, header.height) > 4000, name)
    const { width = 0, height = 0 } = await sharp(made[0]).metadata()
    t.ok(width === 840 || height === 560, `${name}: ${width} x ${height}`)
  }
  const dance = await draw(gifAnimation(800, 500, 100), thumbnails)
  t.equal(dance.header.frames, 100)
  t.equal((await sharp(dance.made[0]).metadata()).pages, 100)
})

t.test('an animation with too many pixels to be shown animated is shown still', async t => {
  const { header, made } = await draw(webpAnimation(still, 1900, 1900, 20), thumbnails)
  t.equal(header.frames, 1)
  t.equal((await sharp(made[0]).metadata()).pages, undefined)
})

t.test('what no decoder of this build reads is refused by its header', async t => {
  const hevc = Buffer.from(await canvas(64, 64).avif().toBuffer())
  for (const [from, to] of [
    ['av01', 'hvc1'],
    ['av1C', 'hvcC'],
    ['avif', 'heic'],
  ] as const)
    for (let at = hevc.indexOf(from); at >= 0; at = hevc.indexOf(from)) hevc.write(to, at)
  for (const bytes of [
    hevc,
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    Buffer.alloc(0),
  ])
    await t.rejects(draw(bytes, { kind: 'header' }), { code: 'BAD_IMAGE' })
})
