import { setImmediate } from 'node:timers/promises'
import type { Ctx } from '../../ctx.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { Tx } from '../../store/driver/db.js'
import {
  actsOnWidgets,
  countWords,
  nextToRebuild,
  noteRebuilt,
  readRebuild,
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
 * Makes the words of all messages again, after an upgrade and when searches find words in other languages, and of messages that have none of
 * this program: what older workers, imports and restores store, and what has files of text or acts on a widget. It continues where another
 * run ended.
 */
export async function rebuildSearch(ctx: Ctx, signal: AbortSignal): Promise<void> {
  while (!(await rebuildAll(ctx, signal))) await ctx.directory.fresh()
  await rebuild(ctx, signal, { next: wordlessMessages })
}

/** False: the setting has changed meanwhile, so that the words of all messages are to be made again. */
async function rebuildAll(ctx: Ctx, signal: AbortSignal): Promise<boolean> {
  // Read before the directory, so that the words are at least as new.
  const begun = await readRebuild(ctx.sql)
  if (begun.is_rebuilt) return true
  await ctx.directory.fresh()
  const note = (tx: Tx, id: number) => noteRebuilt(tx, id, begun)
  if (!(await rebuild(ctx, signal, { next: nextToRebuild, note }))) return false
  await countWords(ctx.sql)
  return await noteRebuilt(ctx.sql, undefined, begun)
}

interface Rebuilding {
  readonly next: typeof nextToRebuild
  /** Whether the words that the transaction stored count. */
  note?(tx: Tx, id: number): Promise<boolean>
}

/** False: words that were made do not count any more. */
async function rebuild(ctx: Ctx, signal: AbortSignal, { next, note }: Rebuilding): Promise<boolean> {
  for (let batches = 1; ; batches++) {
    signal.throwIfAborted()
    const messages = await next(ctx.sql, mostAtOnce)
    const last = messages.at(-1)
    if (!last) return true
    const made = await wordsOf(ctx, messages)
    const counts = await ctx.sql.begin(async tx => {
      await storeWords(tx, made)
      return (await note?.(tx, last.id)) ?? true
    })
    if (!counts) return false
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
    made.push({ id, version, search: searchVector(rendered_content, topic, wordStems(ctx), others) })
  }
  return made
}
