/**
 * acknowledged: the server reported success. unknown: no answer, or one that leaves it open; the message may be stored.
 * refused: the server reported that the message is not stored.
 */
export type Outcome =
  | { readonly kind: 'acknowledged'; readonly messageId: number }
  | { readonly kind: 'unknown' | 'refused'; readonly why: string }

interface Send {
  readonly number: number
  readonly conversation: string
  outcome: Outcome
}

const begun: Outcome = { kind: 'unknown', why: 'under way' }

/** Every message that a sender tried to send, by its number, with the outcome. */
export class Ledger {
  readonly sends: Send[] = []

  begin(conversation: string): Send {
    const send = { number: this.sends.length, conversation, outcome: begun }
    this.sends.push(send)
    return send
  }

  count(kind: Outcome['kind']): number {
    return this.sends.filter(({ outcome }) => outcome.kind === kind).length
  }

  acknowledgedIn(conversations: ReadonlySet<string>): Send[] {
    return this.sends.filter(
      ({ conversation, outcome }) => outcome.kind === 'acknowledged' && conversations.has(conversation),
    )
  }

  /** Number of failures by kind, without pending messages. */
  failures(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { outcome } of this.sends) {
      if (outcome.kind === 'acknowledged' || outcome === begun) continue
      const name = `${outcome.kind}: ${outcome.why}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
}

/** The text of a message of the ledger. */
export const contentOf = ({ number, conversation }: Send): string => `number ${number} of ${conversation}`

/** Undefined for a message that is not in the ledger. */
export function readContent(content: string): { number: number; conversation: string } | undefined {
  const [, number, conversation] = /number (\d+) of (\w+)/.exec(content) ?? []
  return number === undefined ? undefined : { number: Number(number), conversation: conversation as string }
}
