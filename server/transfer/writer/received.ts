import type { Ctx } from '../../ctx.js'
import { idsOf } from '../../store/imports/import-order.js'
import type { ImportRow } from '../../store/imports/imports.js'
import { Faults } from '../faults.js'
import type { Source, SourceChannel, SourceMessage } from '../source.js'
import type { Here } from './here.js'

/** Ids in pairs, the second one excluded; null: without end. */
export type Spans = readonly (readonly [number, number | null])[]

/** By channel, and by account. */
export type Received = ReadonlyMap<string, ReadonlyMap<number, Spans>>

// Messages per statement.
const together = 1000

/**
 * What people have received of the channels whose subscribers see nothing else. It is read from the archive once more, if it has such channels:
 * their subscriptions exist only when all messages are stored.
 */
export async function receivedIn(
  ctx: Ctx,
  row: ImportRow,
  { source, channels, here }: { source: Source; channels: readonly SourceChannel[]; here: Here },
): Promise<Received> {
  const hidden = new Map(
    channels
      .filter(one => one.isHistoryHidden && here.channels.has(one.key))
      .map(one => [one.key, new ReceivedOfChannel(here, one.members)]),
  )
  if (hidden.size === 0) return new Map()
  let number = 0
  let batch = new Map<number, SourceMessage>()
  const end = async () => {
    const ids = await idsOf(ctx.sql, row.id, [...batch.keys()])
    for (const [at, message] of batch) hidden.get(message.place)?.add(message, ids.get(at))
    batch = new Map()
  }
  for await (const message of source.messages(new Faults())) {
    number++
    if (message?.dropped !== null || !hidden.has(message.place)) continue
    batch.set(number, message)
    if (batch.size >= together) await end()
  }
  await end()
  return new Map([...hidden].map(([key, one]) => [key, one.spans(row.last_id + 1)]))
}

/** Messages come in the order of their ids, or nearly: each is a span of its own until the next one of the channel is received, too. */
class ReceivedOfChannel {
  private readonly byUser = new Map<number, [number, number][]>()
  private readonly memberIds: readonly number[]
  private last = 0

  constructor(
    private readonly here: Here,
    members: readonly string[],
  ) {
    this.memberIds = [...new Set(members.flatMap(key => here.people.get(key) ?? []))]
  }

  add({ marks }: SourceMessage, own: { readonly id: number; readonly ids: number } | undefined): void {
    if (!own) return
    const to = own.id + own.ids
    for (const key of marks.received ?? []) {
      const userId = this.here.people.get(key)
      if (userId === undefined) continue
      const spans = this.byUser.get(userId) ?? []
      this.byUser.set(userId, spans)
      const before = spans.at(-1)
      if (before && before[1] === this.last && before[1] <= own.id) before[1] = to
      else spans.push([own.id, to])
    }
    this.last = to
  }

  /** Members receive all from `next` on. */
  spans(next: number): ReadonlyMap<number, Spans> {
    return new Map(this.memberIds.map(userId => [userId, [...(this.byUser.get(userId) ?? []), [next, null]]]))
  }
}
