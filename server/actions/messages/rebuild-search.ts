import { setImmediate } from 'node:timers/promises'
import type { Ctx } from '../../ctx.js'
import {
  actsOnWidgets,
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
import { wordsOfAct } from '../../text/widgets.js'
import { textsOfFiles } from './texts-of-files.js'

const mostAtOnce = 200
// Between two of these the worker does other work.
const mostInTurn = 20
// The writer of messages would have to merge more new words than these batches have.
const batchesBeforeMerge = 20

/**
 * Makes the words of messages that have none of this program: those of before it, after an upgrade, and later what older workers, imports and
 * restores store, and what has files of text or acts on a widget. It continues where another run ended.
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

async function wordsOf(ctx: Ctx, messages: readonly WordlessMessage[]) {
  const made = []
  const ids = messages.map(message => message.id)
  const files = await textsOfFiles(ctx, ids)
  const acts = new Map((await actsOnWidgets(ctx.sql, ids)).map(one => [one.message_id, one.acts]))
  for (const [i, { id, version, topic, rendered_content }] of messages.entries()) {
    if (i % mostInTurn === 0) await setImmediate()
    const others = [...(acts.get(id) ?? []).map(wordsOfAct), ...(files.get(id) ?? [])]
    made.push({ id, version, search: searchVector(rendered_content, topic, ctx.memory.stems, others) })
  }
  return made
}
