import { askedNames, type NameValues, type Question } from '../asked-names.js'
import { compileLinkifier } from '../compile-linkifier.js'
import { beginRendering } from '../markdown.js'
import type { Linkifier } from '../names.js'
import { SlowPartsRenderer } from '../render-slow-parts.js'
import type { FromThread, ToThread } from './thread-messages.js'

// A name of a user, and then the newest message of a topic: answers lead to further questions once or twice.
const mostRounds = 4

/** The text that a thread renders, with the answers that it has so far. */
interface Text {
  readonly content: string
  readonly values: NameValues
  readonly answers: Map<Question, unknown>
  rounds: number
}

/** Renders what a worker sends, in a thread of its own. */
export class ThreadRenderer {
  private readonly slowParts = new SlowPartsRenderer()
  private linkifiers: readonly Linkifier[] = []
  private text: Text | undefined

  handle(message: ToThread): FromThread {
    if (message.kind === 'parts') return { kind: 'parts', results: this.slowParts.render(message.parts) }
    if (message.kind === 'text') {
      if (message.linkifiers) this.linkifiers = message.linkifiers.map(compileLinkifier)
      return this.render({ content: message.content, values: message.values, answers: new Map(), rounds: 0 })
    }
    if (!this.text) throw new Error('answers without a question')
    for (const [question, answer] of message.answers) this.text.answers.set(question, answer)
    return this.render(this.text)
  }

  /** Every round reads the whole text: an answer may change the meaning of what stands behind it. */
  private render(text: Text): FromThread {
    this.text = undefined
    const asked = new Set<Question>()
    const names = askedNames(text.values, this.linkifiers, text.answers, asked)
    const { parts, finish } = beginRendering(text.content, names)
    if (asked.size > 0 && ++text.rounds < mostRounds) {
      this.text = text
      return { kind: 'asked', questions: [...asked] }
    }
    const results = parts.length === 0 ? [] : this.slowParts.render(parts.map(({ part }) => part))
    return { kind: 'rendered', rendered: finish(results) }
  }
}
