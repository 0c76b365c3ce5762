import type { ServerFrame } from '../../shared/wire/frames.js'
import type { Account, Run, RunResult, Target } from './load-protocol.js'
import { Receivers } from './receivers.js'
import { runWith } from './run-with.js'
import { senderFor } from './sender.js'

// Opened at once: all of them together would overflow the listen queue.
const openTogether = 50

/** The parameters of `register` of all readers. */
export const registration = {
  event_types: ['message'],
  fetch_event_types: [],
  apply_markdown: true,
  client_gravatar: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    empty_topic_name: true,
    archived_channels: true,
  },
}

/** One server under load: a reader for each account, a sender, and the checks. */
export abstract class LoadTarget {
  protected readonly receivers: Receivers
  private readonly send: (number: number) => Promise<void>
  private next = 1

  constructor(
    protected readonly target: Target,
    decode?: (bytes: Buffer) => ServerFrame,
  ) {
    this.receivers = new Receivers(target.accounts.length, decode)
    this.send = senderFor(target)
  }

  /** Makes the queue of an account, and begins to read it. */
  protected abstract openOne(account: Account, queue: number): Promise<void>

  /** Clients do their deferred work now. */
  abstract settle(): void

  async open(): Promise<void> {
    await this.forAll(openTogether, (account, queue) => this.openOne(account, queue))
  }

  async run({ first = this.next, ...run }: Run): Promise<RunResult> {
    if (this.target.isFloor) this.receivers.restart()
    this.next = first + run.events
    return runWith(this.target.name, this.receivers, this.send, { ...run, first })
  }

  /** Runs `work` for each account, with at most `together` at a time. */
  protected async forAll(together: number, work: (account: Account, queue: number) => Promise<void>): Promise<void> {
    const { accounts } = this.target
    let next = 0
    const loop = async () => {
      for (let i = next++; i < accounts.length; i = next++) await work(accounts[i] as Account, i)
    }
    await Promise.all(Array.from({ length: together }, loop))
  }
}
