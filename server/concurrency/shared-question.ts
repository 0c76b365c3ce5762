/**
 * Answers questions about keys with few calls: the keys of one turn of the event loop go into one call, and those that arrive while it
 * runs into the next one. So an answer is never older than its question. One call runs at a time.
 */
export class SharedQuestion<Key, Value> {
  private readonly waiting = new Map<Key, Promise<Value | undefined>>()
  private next: Promise<ReadonlyMap<Key, Value>> | undefined
  private running: Promise<unknown> = Promise.resolve()

  /** `ask` gets each key once, and leaves out keys without an answer. */
  constructor(private readonly ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {}

  /** Rejects as `ask` does, for all keys of the call. */
  of(key: Key): Promise<Value | undefined> {
    const known = this.waiting.get(key)
    if (known) return known
    this.next ??= this.askNext()
    const answer = this.next.then(answers => answers.get(key))
    this.waiting.set(key, answer)
    return answer
  }

  private async askNext(): Promise<ReadonlyMap<Key, Value>> {
    // The callers of the running call get its error.
    await this.running.catch(() => {})
    await new Promise(setImmediate)
    const keys = [...this.waiting.keys()]
    this.waiting.clear()
    const asked = this.ask(keys)
    this.running = asked
    this.next = undefined
    return asked
  }
}
