import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { type SentMessage, sentMessage } from '../../presenters/sent-message.js'
import type { Tx } from '../../store/driver/db.js'
import { storeAnswer } from '../../store/messages/idempotency-keys.js'
import type { InsertedMessage } from '../../store/messages/messages.js'
import { insertMessages } from '../../store/sending/insert-messages.js'
import { holdStart } from '../../store/topics/user-topics.js'
import { followSent, mayChange } from '../topics/follow-sent.js'
import type { PreparedMessage } from './prepare.js'

interface Stored {
  /** As it was stored. */
  readonly message: PreparedMessage
  readonly inserted: InsertedMessage
  /** The sender's new visibility policy for the topic; undefined: unchanged. */
  readonly newPolicy: VisibilityPolicy | undefined
}

/** Takes locks in a transaction and prepares the message once more. */
export type PrepareUnderLocks = (tx: Tx) => Promise<PreparedMessage>

/**
 * Stores a message and publishes its events. A message that changes visibility policies is stored with them in one transaction, and the
 * events of the policies come before its own; so is one that is prepared under locks, or has changes alongside. Any other is one statement. Undefined: its versions are
 * out of date, and nothing was stored.
 */
export async function storeMessage(
  ctx: Ctx,
  given: PreparedMessage,
  prepareUnderLocks?: PrepareUnderLocks,
): Promise<Stored | undefined> {
  const { policies, asksForStart, alongside } = given
  let own: Stored | undefined
  const run = async (): Promise<InsertedMessage | undefined> => {
    own = await storeInTransaction(ctx, given, prepareUnderLocks)
    return own?.inserted
  }
  const isNeeded =
    prepareUnderLocks !== undefined || alongside !== undefined || (policies !== null && mayChange(policies))
  const inserted = await ctx.messageWriter.write(given, isNeeded || asksForStart ? { isNeeded, run } : undefined)
  if (!inserted) return undefined
  const stored = own ?? { message: given, inserted, newPolicy: undefined }
  if (stored.message.policies && !inserted.isRepeat) ctx.memory.knownTopics.noteMessages(stored.message.policies.topic)
  return stored
}

/** A repeated send changes nothing. */
async function storeInTransaction(
  ctx: Ctx,
  given: PreparedMessage,
  prepareUnderLocks: PrepareUnderLocks | undefined,
): Promise<Stored | undefined> {
  const stored = await ctx.write(async (tx, emit, { emitMessage, after }) => {
    const message = prepareUnderLocks ? await prepareUnderLocks(tx) : given
    const { policies } = message
    if (policies && message.asksForStart) await holdStart(tx, policies.topic)
    // Its events are stored after those of the policies.
    const [inserted] = await insertMessages(tx, [{ ...message, entries: [] }], true)
    if (typeof inserted !== 'object') return undefined
    if (inserted.isRepeat) return { message, inserted, changed: null }
    const changed = policies && (await followSent(ctx, tx, emit, { policies, isStart: inserted.isStart }))
    await storePolicy(tx, message, { id: inserted.id, newPolicy: changed?.ofSender })
    emitMessage(inserted.id, message.entries)
    await message.alongside?.(tx, emit, { id: inserted.id, after })
    return { message, inserted, changed }
  })
  if (!stored) return undefined
  const { message, inserted, changed } = stored
  if (message.policies && changed) ctx.memory.knownTopics.notePolicies(message.policies.topic, changed.now)
  return { message, inserted, newPolicy: changed?.ofSender }
}

/** Of a request with a key: the insert has stored the id alone as the answer. */
async function storePolicy(tx: Tx, { requestKey }: PreparedMessage, sent: SentMessage): Promise<void> {
  if (sent.newPolicy === undefined || requestKey?.fingerprint === undefined || requestKey.answer !== undefined) return
  await storeAnswer(tx, requestKey.key, JSON.stringify(sentMessage(sent)))
}
