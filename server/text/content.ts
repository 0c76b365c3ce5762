import { limits } from '../../shared/limits.js'
import { cleanName, isNameText } from './clean-name.js'

type ContentProblem = 'content_empty' | 'content_has_nul'
type TopicProblem = 'topic_not_printable'
/** The text to store, or the reason why it is invalid; the caller chooses the error message. */
type Checked<Problem> = { ok: true; text: string } | { ok: false; problem: Problem }
/**
 * `uncut`: the name before it was cut, if it was too long. `older`: the form in which earlier versions, which only trimmed topics, stored
 * this one, if it differs.
 */
type CheckedTopic = { ok: true; text: string; uncut?: string; older?: string } | { ok: false; problem: TopicProblem }

const contentCut = '\n[message truncated]'
const topicCut = '...'

/** The stored form of a message's content: trimmed and truncated. */
export function checkContent(content: string): Checked<ContentProblem> {
  if (content.includes('\0')) return { ok: false, problem: 'content_has_nul' }
  const text = wellFormed(content).trimEnd().replace(/^\n+/, '')
  if (text.trim() === '') return { ok: false, problem: 'content_empty' }
  return { ok: true, text: truncate(text, limits.max_message_length, contentCut) }
}

/**
 * The stored form of a topic; '' is the empty topic. Both names of the empty topic mean it, because clients that do not
 * know it send back the name that they show.
 */
export function checkTopic(topic: string, emptyTopicDisplayName: string): CheckedTopic {
  const isEmpty = (text: string) => text === '' || text === '(no topic)' || text === emptyTopicDisplayName
  const clean = cleanName(topic)
  if (!isNameText(clean)) return { ok: false, problem: 'topic_not_printable' }
  const cut = truncate(clean, limits.max_topic_length, topicCut)
  // Truncation inside an emoji may leave a joiner behind.
  const text = isEmpty(clean) ? '' : cut === clean ? clean : cleanName(cut)
  const checked = { ok: true, text, ...(cut !== clean && text !== '' && { uncut: clean }) } as const
  if (clean === topic) return checked
  const trimmed = topic.trim()
  const older = truncate(trimmed, limits.max_topic_length, topicCut)
  return older === text || isEmpty(trimmed) ? checked : { ...checked, older }
}

/** Whether text has no control characters, unpaired surrogates or noncharacters. */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(text)
}

/** Truncates to a length in code points, including the suffix. */
export function truncate(text: string, max: number, suffix: string): string {
  // A text has at least as many UTF-16 units as code points, so most texts need no counting.
  if (text.length <= max) return text
  const points = Array.from(text)
  return points.length <= max ? text : points.slice(0, max - Array.from(suffix).length).join('') + suffix
}

/** An unpaired surrogate cannot be encoded as UTF-8: the database would refuse the whole message. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd')
}
