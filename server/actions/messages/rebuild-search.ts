import { setImmediate } from 'node:timers/promises'
import type { Ctx } from '../../ctx.js'
import {
  countWords,
  isSearchRebuilt,
  nextToRebuild,
  noteRebuilt,
  storeWords,
  type WordlessMessage,
  wordlessMessages,
} from '../../store/messages/search-rebuild.js'
import { mergeNewWords } from '../../store/pages/message-search.js'
import { searchVector } from '../../text/search/vector.js'

const mostAtOnce = 200
// Between two of these the worker does other work.
const mostInTurn = 20
// The writer of messages would have to merge more new words than these batches have.
const batchesBeforeMerge = 20

/**
 * Makes the words of messages that have none of this program: those of before it, after an upgrade, and later what older workers, imports and
 * restores store. It continues where another run ended.
 */
export async function rebuildSearch(ctx: Ctx, signal: AbortSignal): Promise<void> {
  if (!(await isSearchRebuilt(ctx.sql))) {
    await rebuild(ctx, signal, { next: nextToRebuild, note: noteRebuilt })
    await countWords(ctx.sql)
    await noteRebuilt(ctx.sql, undefined)
  }
  await rebuild(ctx, signal, { next: wordlessMessages })
}

async function rebuild(
  ctx: Ctx,
  signal: AbortSignal,
  { next, note }: { readonly next: typeof nextToRebuild; readonly note?: typeof noteRebuilt },
): Promise<void> {
  for (let batches = 1; ; batches++) {
    signal.throwIfAborted()
    const messages = await next(ctx.sql, mostAtOnce)
    const last = messages.at(-1)
    if (!last) break
    const made = await wordsOf(ctx, messages)
    await ctx.sql.begin(async tx => {
      await storeWords(tx, made)
      await note?.(tx, last.id)
    })
    if (batches % batchesBeforeMerge === 0) await mergeNewWords(ctx.sql)
  }
}

async function wordsOf({ memory }: Ctx, messages: readonly WordlessMessage[]) {
  const made = []
  for (const [i, { id, version, topic, rendered_content }] of messages.entries()) {
    if (i % mostInTurn === 0) await setImmediate()
    made.push({ id, version, search: searchVector(rendered_content, topic, memory.stems) })
  }
  return made
}
