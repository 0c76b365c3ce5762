import { limits } from '../../shared/limits.js'
import { cleanName, isNameText } from './clean-name.js'

export type ContentProblem = 'content_empty' | 'content_has_nul'
export type TopicProblem = 'topic_not_printable'
/** Either the text to store or why there is none; the caller words the refusal. */
export type Checked<Problem> = { ok: true; text: string } | { ok: false; problem: Problem }
/** `older`: as it was stored when topics were only trimmed, where that differs. */
export type CheckedTopic = { ok: true; text: string; older?: string } | { ok: false; problem: TopicProblem }

const contentCut = '\n[message truncated]'
const topicCut = '...'

/** The form in which a message's content is stored: ends trimmed, cut to the greatest length. */
export function checkContent(content: string): Checked<ContentProblem> {
  if (content.includes('\0')) return { ok: false, problem: 'content_has_nul' }
  const text = wellFormed(content).trimEnd().replace(/^\n+/, '')
  if (text.trim() === '') return { ok: false, problem: 'content_empty' }
  return { ok: true, text: truncate(text, limits.max_message_length, contentCut) }
}

/**
 * The form in which a topic is stored; '' is the empty topic. Both names for it mean it, as clients that do not know
 * the empty topic send back the name that they were shown.
 */
export function checkTopic(topic: string, emptyTopicDisplayName: string): CheckedTopic {
  const isEmpty = (text: string) => text === '' || text === '(no topic)' || text === emptyTopicDisplayName
  const clean = cleanName(topic)
  if (!isNameText(clean)) return { ok: false, problem: 'topic_not_printable' }
  const cut = truncate(clean, limits.max_topic_length, topicCut)
  // Emoji that was cut in two may leave a joiner behind.
  const text = isEmpty(clean) ? '' : cut === clean ? clean : cleanName(cut)
  if (clean === topic) return { ok: true, text }
  const trimmed = topic.trim()
  const older = truncate(trimmed, limits.max_topic_length, topicCut)
  return older === text || isEmpty(trimmed) ? { ok: true, text } : { ok: true, text, older }
}

/** Whether text holds no control characters, halves of surrogate pairs or code points that are no characters. */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(text)
}

/** The text within a greatest length in code points, the suffix included where something was cut. */
export function truncate(text: string, max: number, suffix: string): string {
  // Units are never fewer than code points, so most texts need no counting.
  if (text.length <= max) return text
  const points = Array.from(text)
  return points.length <= max ? text : points.slice(0, max - Array.from(suffix).length).join('') + suffix
}

/** Half a surrogate pair cannot be written as UTF-8: the database would refuse the whole message. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd')
}
