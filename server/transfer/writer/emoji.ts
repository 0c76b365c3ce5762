import { ApiError } from '../../../shared/errors.js'
import { type DrawnEmoji, drawEmoji, insertEmoji } from '../../actions/pictures/custom-emoji.js'
import { withPictures } from '../../actions/pictures/stored-picture.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { ExternalFailure } from '../../external/external-failure.js'
import { insertObjects } from '../../store/imports/import-objects.js'
import type { ImportRow } from '../../store/imports/imports.js'
import type { Faults } from '../faults.js'
import type { Person, Source, SourceBytes, SourceEmoji } from '../source.js'
import { UnreadableEntry } from '../source.js'
import { BusySource, LostFile, openDownload } from './download.js'
import type { Here } from './here.js'
import { picturesBytes } from './store-file.js'

// Emoji per transaction: each has an event with all emoji.
const together = 25
// How long the picture of one may take.
const mostMs = 60_000

interface Importing {
  readonly source: Source
  readonly emoji: readonly SourceEmoji[]
  readonly people: readonly Person[]
  readonly here: Here
  readonly faults: Faults
}

/** Makes the custom emoji of an archive, which its messages and reactions show. One of the same name here stays as it is. */
export async function importEmoji(
  ctx: Ctx,
  row: ImportRow,
  { source, emoji, people, here, faults }: Importing,
): Promise<void> {
  const authorId = authorOf(people, here)
  const missing = emoji.filter(({ name }) => !here.emoji.has(name))
  if (authorId === undefined || missing.length === 0) return
  for (let i = 0; i < missing.length; i += together) {
    await ctx.directory.fresh()
    const batch = missing.slice(i, i + together).filter(({ name }) => name !== ctx.config.wireBrand)
    const isHere = ({ name }: SourceEmoji) => ctx.directory.customEmoji.active(name) !== undefined
    await noteKnown(ctx, row.id, batch.filter(isHere))
    const drawn = await drawAll(ctx, row, { source, faults, authorId, emoji: batch.filter(one => !isHere(one)) })
    await store(ctx, row.id, { drawn: roomFor(ctx, drawn, faults), authorId })
  }
  await ctx.directory.fresh()
}

/** An administrator at the source, who may remove the emoji here, too. */
function authorOf(people: readonly Person[], { people: ids }: Here): number | undefined {
  const known = people.find(({ key, rank }) => rank === 'administrator' && ids.has(key))
  return known ? ids.get(known.key) : ids.values().next().value
}

async function noteKnown(ctx: Ctx, importId: number, emoji: readonly SourceEmoji[]): Promise<void> {
  const objects = emoji.flatMap(({ name }) => {
    const known = ctx.directory.customEmoji.active(name)
    return known ? objectOf(known, false) : []
  })
  await ctx.sql.begin(tx => insertObjects(tx, importId, objects))
}

const objectOf = ({ id, name }: { readonly id: number; readonly name: string }, is_new: boolean) =>
  ({ kind: 'emoji', key: name, object_id: id, is_new, name, is_bot: false }) as const

interface Drawing {
  readonly source: Source
  readonly emoji: readonly SourceEmoji[]
  readonly authorId: number
  readonly faults: Faults
}

async function drawAll(ctx: Ctx, row: ImportRow, { source, emoji, authorId, faults }: Drawing): Promise<DrawnEmoji[]> {
  const drawn: DrawnEmoji[] = []
  for (const { name, picture } of emoji) {
    try {
      const file = await bytesOf(ctx, row, source, picture)
      drawn.push(await drawEmoji(ctx, name, { account: authorId, file }))
    } catch (error) {
      faults.add('custom emoji without a picture', `:${name}:`, reasonOf(error))
    }
  }
  return drawn
}

/** @throws what is no fault of the picture */
function reasonOf(error: unknown): string {
  if (error instanceof LostFile || error instanceof UnreadableEntry) return error.message
  if (error instanceof BusySource || error instanceof ExternalFailure) return 'the source did not answer'
  if (error instanceof ApiError && error.code === 'BAD_IMAGE') return 'it is no picture'
  throw error
}

async function bytesOf(ctx: Ctx, { file_hosts }: ImportRow, source: Source, picture: SourceBytes): Promise<Buffer> {
  const { bytes } = picture
  if (picture.at === 'archive') return picturesBytes({ type: '', bytes, pieces: source.file(picture.entry) })
  if (!ctx.external) throw new LostFile('the server reads nothing from other hosts (EXTERNAL_CONTENT)')
  const inTime = new AbortController()
  const timer = setTimeout(() => inTime.abort(), mostMs)
  try {
    const file = { address: picture.address, file_hosts, name: '', bytes }
    return await picturesBytes(await openDownload(ctx.external, file, { token: null, signal: inTime.signal }))
  } finally {
    clearTimeout(timer)
  }
}

/** As many as the organization may still have. */
function roomFor({ directory }: Ctx, drawn: readonly DrawnEmoji[], faults: Faults): readonly DrawnEmoji[] {
  const room = Math.max(0, budgets.customEmoji.most - directory.customEmoji.size)
  for (const { name } of drawn.slice(room)) {
    faults.add('custom emoji beyond the number that there may be', `:${name}:`, String(budgets.customEmoji.most))
  }
  return drawn.slice(0, room)
}

async function store(
  ctx: Ctx,
  importId: number,
  { drawn, authorId }: { readonly drawn: readonly DrawnEmoji[]; readonly authorId: number },
): Promise<void> {
  if (drawn.length === 0) return
  const pictures = Object.assign({}, ...drawn.map(one => one.pictures)) as Record<string, Buffer>
  await withPictures(ctx, pictures, keys =>
    ctx.write(async (tx, emit) => {
      await ctx.directory.hold(tx, 'change')
      const rows = await insertEmoji(ctx, tx, emit, { drawn, keys, authorId })
      await insertObjects(
        tx,
        importId,
        rows.map(one => objectOf(one, true)),
      )
    }),
  )
}
