import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { type SentMessage, sentMessage } from '../../presenters/sent-message.js'
import type { Tx } from '../../store/driver/db.js'
import { storeAnswer } from '../../store/messages/idempotency-keys.js'
import type { InsertedMessage } from '../../store/messages/messages.js'
import { insertMessages } from '../../store/sending/insert-messages.js'
import { holdStart } from '../../store/topics/user-topics.js'
import { followSent, mayChange, type SentPolicies } from '../topics/follow-sent.js'
import type { PreparedMessage } from './prepare.js'

interface Stored {
  readonly inserted: InsertedMessage
  /** The sender's new visibility policy for the topic; undefined: unchanged. */
  readonly newPolicy: VisibilityPolicy | undefined
}

/**
 * Stores a message and publishes its events. A message that changes visibility policies is stored with them in one transaction, and the
 * events of the policies come before its own; any other is one statement. Undefined: its versions are out of date, and nothing was stored.
 */
export async function storeMessage(ctx: Ctx, message: PreparedMessage): Promise<Stored | undefined> {
  const { policies, asksForStart } = message
  let newPolicy: VisibilityPolicy | undefined
  const run = async (): Promise<InsertedMessage | undefined> => {
    const stored = policies ? await storeWithPolicies(ctx, message, policies) : undefined
    newPolicy = stored?.newPolicy
    return stored?.inserted
  }
  const isNeeded = policies !== null && mayChange(policies)
  const inserted = await ctx.messageWriter.write(message, isNeeded || asksForStart ? { isNeeded, run } : undefined)
  if (!inserted) return undefined
  if (policies && !inserted.isRepeat) ctx.memory.knownTopics.noteMessages(policies.topic)
  return { inserted, newPolicy }
}

/** A repeated send changes nothing. */
async function storeWithPolicies(
  ctx: Ctx,
  message: PreparedMessage,
  policies: SentPolicies,
): Promise<Stored | undefined> {
  const stored = await ctx.write(async (tx, emit, { emitMessage }) => {
    if (message.asksForStart) await holdStart(tx, policies.topic)
    // Its events are stored after those of the policies.
    const [inserted] = await insertMessages(tx, [{ ...message, entries: [] }], true)
    if (typeof inserted !== 'object') return undefined
    if (inserted.isRepeat) return { inserted }
    const changed = await followSent(ctx, tx, emit, { policies, isStart: inserted.isStart })
    await storePolicy(tx, message, { id: inserted.id, newPolicy: changed?.ofSender })
    emitMessage(inserted.id, message.entries)
    return { inserted, changed }
  })
  if (stored?.changed) ctx.memory.knownTopics.notePolicies(policies.topic, stored.changed.now)
  return stored && { inserted: stored.inserted, newPolicy: stored.changed?.ofSender }
}

/** Of a request with a key: the insert has stored the id alone as the answer. */
async function storePolicy(tx: Tx, { requestKey }: PreparedMessage, sent: SentMessage): Promise<void> {
  if (sent.newPolicy === undefined || requestKey?.fingerprint === undefined || requestKey.answer !== undefined) return
  await storeAnswer(tx, requestKey.key, JSON.stringify(sentMessage(sent)))
}
