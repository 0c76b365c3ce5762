import { budgets } from '../config/budgets.js'
import type { WorkerCtx, Write } from '../ctx.js'
import { claimKey, type RequestKey, storeAnswer } from '../store/messages/idempotency-keys.js'

/** Thrown instead of creating something: an earlier request has stored the key. */
export class RepeatedRequest extends Error {
  constructor() {
    super('an earlier request has this idempotency key')
  }
}

/**
 * The context of an action that creates something, for a request with a key: the action's transaction stores the key first, and the answer
 * with what it created. So a worker that ends at any moment leaves all of it or nothing. The action has one transaction.
 * @param answerOf the fields of the answer, from what the transaction returned
 * @throws {RepeatedRequest} by `write`
 */
export function contextOfKey<Made>(ctx: WorkerCtx, key: RequestKey, answerOf: (made: Made) => object): WorkerCtx {
  let isStored = false
  const write: Write = async (work, ...rest) => {
    if (isStored) throw new Error('an action with an idempotency key has one transaction')
    const result = await ctx.write(
      async (tx, ...others) => {
        // First, while the transaction holds nothing: it may wait for the end of a request with the same key.
        if (!(await claimKey(tx, key))) throw new RepeatedRequest()
        const made = await work(tx, ...others)
        await storeAnswer(tx, key.key, storedText(answerOf(made as unknown as Made)))
        return made
      },
      ...rest,
    )
    isStored = true
    return result
  }
  return Object.create(ctx, { write: { value: write }, isKeyed: { value: true } }) as WorkerCtx
}

/** Null: too long to be stored. */
function storedText(answer: object): string | null {
  const text = JSON.stringify(answer)
  return text.length > budgets.storedAnswer.most ? null : text
}
